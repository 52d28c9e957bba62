import type { FooterGroup, Link as LinkData, SharedData, SocialLink } from '../../contract/index.ts';
import { useRendering } from '../../rendering/context.ts';
import { Brand } from '../../ui/brand/brand.tsx';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { OfficeCard } from '../../ui/office-card/office-card.tsx';
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

export function Footer({ shared, current }: FooterProps) {
  const { t } = useRendering();
  const { site, year } = shared;
  return (
    <footer className={styles.footer} data-tone="ink">
      <Offices shared={shared} />
      <nav className={styles.groups} aria-label={t('footer', { company: site.company })}>
        {shared.footer.map((group) => (
          <Group key={group.key} group={group} current={current} />
        ))}
      </nav>
      <div className={styles.company}>
        <Brand name={site.company} />
        <Social links={shared.social} />
        <Link to={shared.contact} className={styles.contact} />
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
            <li key={link.href}>
              <FooterLink to={link} current={current} />
            </li>
          ))}
        </ul>
        <a href="#top" className={styles.top}>
          {t('backToTop')}
          <Icon name="arrow-up" />
        </a>
      </div>
    </footer>
  );
}

/** Cards of every set the site may show; those of other sets than the site's own wait, hidden, for what is known of the visitor. */
function Offices({ shared: { offices, officeSet, officesLink } }: { shared: SharedData }) {
  const { t } = useRendering();
  return (
    <section className={styles.offices}>
      <h2>{t('offices')}</h2>
      <Link to={officesLink}>
        {officesLink.title}
        <Icon name="arrow-right" directional />
      </Link>
      <ul data-office-set={officeSet}>
        {offices.map((office) => (
          <li key={office.id} data-sets={office.sets.join(' ')} hidden={!office.sets.includes(officeSet)}>
            <OfficeCard office={office} heading="h3" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Links that only some visitors are shown are hidden until the visitor is known. */
function Group({ group: { title, links }, current }: { group: FooterGroup; current: string }) {
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {links.map(({ link, region }) => (
          <li key={link.title} data-region={region ?? undefined} hidden={region !== null}>
            <FooterLink to={link} current={current} />
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
