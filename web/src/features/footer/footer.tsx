import type { FooterGroup, Link as LinkData, SharedData, SocialLink } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Brand } from '../../ui/brand/brand.tsx';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { OfficeCard, officeGrid } from '../../ui/office-card/office-card.tsx';
import { VisitorPhone } from '../../ui/visitor-phone/visitor-phone.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import styles from './footer.module.css';

interface FooterProps {
  shared: SharedData;
  /** Path of the page where the footer links to it, else empty. */
  current: string;
}

/** Names of the networks are their own in every language, but for the neutral one. */
const NETWORKS: Record<Exclude<SocialLink['network'], 'reviews'>, string> = {
  facebook: 'Facebook',
  xing: 'Xing',
  linkedin: 'LinkedIn',
  twitter: 'X',
  instagram: 'Instagram',
  behance: 'Behance',
  dribbble: 'Dribbble',
};

const PRIVACY_POLICY = '/privacy-policy';

export function Footer({ shared, current }: FooterProps) {
  const { t } = useRendering();
  const { site, year } = shared;
  return (
    <footer className={styles.footer} data-tone="ink">
      <Offices shared={shared} />
      <nav className={styles.groups} aria-labelledby="_footer" data-accordion="">
        <VisuallyHidden as="h2" id="_footer">
          {t('footer', { company: site.company })}
        </VisuallyHidden>
        {shared.footer.map((group) => (
          <Group key={group.key} group={group} current={current} />
        ))}
      </nav>
      <div className={styles.company}>
        <Brand name={site.company} place="footer" />
        <Social links={shared.social} />
        <VisitorPhone phones={shared.phones} />
        <Link
          to={shared.contact}
          className={styles.contact}
          aria-current={shared.contact.href === current ? 'page' : undefined}
        />
      </div>
      <div className={styles.legal}>
        <p>
          <bdi>
            © {year} {site.legalName}
          </bdi>{' '}
          {t('allRightsReserved')}
        </p>
        <ul>
          {shared.legalLinks.map((link) => (
            <li
              key={link.href}
              data-not-country={shared.personalData && link.href.endsWith(PRIVACY_POLICY) ? 'by' : undefined}
            >
              <FooterLink to={link} current={current} />
            </li>
          ))}
          {shared.personalData && (
            <li data-only-country="by" hidden>
              <FooterLink to={shared.personalData} current={current} />
            </li>
          )}
          {/* Opens the settings (features/consent); hidden without scripts. */}
          <li className={styles.cookieSettings}>
            <button type="button" data-consent-settings="">
              {t('cookieSettings')}
            </button>
          </li>
        </ul>
        <CaptchaNotice shared={shared} current={current} />
        <a href="#top" className={styles.top}>
          {t('backToTop')}
          <Icon name="arrow-up" />
        </a>
      </div>
    </footer>
  );
}

/**
 * Cards of every set the site may show. Those that are not in the site's own set are hidden until the visitor's country
 * is known.
 */
function Offices({ shared: { offices, officeSet, officesLink } }: { shared: SharedData }) {
  const { t } = useRendering();
  return (
    <section className={styles.offices}>
      <h2>{t('offices')}</h2>
      <Link to={officesLink}>
        {officesLink.title}
        <Icon name="arrow-right" directional />
      </Link>
      <ul className={officeGrid}>
        {offices.map((office) => (
          <li key={office.id} data-sets={office.sets.join(' ')} hidden={!office.sets.includes(officeSet)}>
            <OfficeCard office={office} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Links for some visitors only are hidden until the visitor's country is known. */
function Group({ group: { key, title, links }, current }: { group: FooterGroup; current: string }) {
  return (
    <div data-group="">
      <h3>{title}</h3>
      <ul id={`_footer-${key}`}>
        {links.map(({ link, region, target }) => (
          <li key={link.title} data-region={region ?? undefined} hidden={region !== null}>
            <FooterLink to={target ? { ...link, external: true } : link} current={current} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function FooterLink({ to, current }: { to: LinkData; current: string }) {
  return <Link to={to} aria-current={to.href === current ? 'page' : undefined} />;
}

function Social({ links }: { links: SocialLink[] }) {
  const { t } = useRendering();
  return (
    <ul className={styles.social} aria-label={t('followUs')}>
      {links.map(({ network, href }) => {
        const name = network === 'reviews' ? t('reviews') : NETWORKS[network];
        return (
          <li key={network}>
            <a href={href} target="_blank" rel="nofollow noopener" aria-label={`${name} (${t('opensInNewTab')})`}>
              <Icon name={network === 'reviews' ? 'star' : network} />
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** Each provider's own pages; ALTCHA runs on our own servers, so the site's own policy speaks of it. */
const CAPTCHA_PAGES = {
  recaptcha: ['https://policies.google.com/privacy', 'https://policies.google.com/terms'],
  turnstile: ['https://www.cloudflare.com/privacypolicy/', 'https://www.cloudflare.com/website-terms/'],
} as const;
const CAPTCHA_NAMES = { altcha: 'ALTCHA', recaptcha: 'Google reCAPTCHA', turnstile: 'Cloudflare Turnstile' } as const;

function CaptchaNotice({ shared, current }: { shared: SharedData; current: string }) {
  const { t } = useRendering();
  const { provider } = shared.captcha;
  if (provider === 'none') return null;
  const [privacy] = shared.legalLinks;
  return (
    <p className={styles.captcha}>
      {t('captchaNotice', { name: CAPTCHA_NAMES[provider] })}{' '}
      {provider === 'altcha'
        ? privacy && <FooterLink to={privacy} current={current} />
        : CAPTCHA_PAGES[provider].map((href, index) => (
            <Link
              key={href}
              to={{
                title: t(index === 0 ? 'privacyPolicy' : 'termsOfService'),
                href,
                external: true,
                site: null,
                hreflang: null,
              }}
            />
          ))}
    </p>
  );
}
