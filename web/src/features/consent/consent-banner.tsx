import type { Link as LinkData, SharedData } from '../../contract/types.ts';
import { cutAtLineBreak } from '../../domain/consent.ts';
import type { Visitor } from '../../domain/visitor.ts';
import { useRendering } from '../../rendering/context.ts';
import { Link } from '../../ui/link/link.tsx';
import styles from './consent.module.css';
import { consentTexts, describeCookies, hashTexts } from './consent-texts.ts';

const COOKIES_POLICY = '/cookies-policy';
const THEMES = ['gdpr', 'small'] as const;

/**
 * The banner and the small notice. Both are in every page. The script in the head sets in `html[data-consent]` which of
 * them is shown, if any. Without scripts, both stay hidden.
 */
export function ConsentBanner({ shared: { visitor, legalLinks } }: { shared: SharedData }) {
  const policy = legalLinks.find(({ href }) => href.endsWith(COOKIES_POLICY));
  return THEMES.map((theme) => <Notice key={theme} theme={theme} profile={visitor.consentProfile} policy={policy} />);
}

interface NoticeProps {
  theme: Visitor['consentTheme'];
  profile: SharedData['visitor']['consentProfile'];
  policy: LinkData | undefined;
}

/** Refusing takes one click on a button like the one to accept. */
function Notice({ theme, profile, policy }: NoticeProps) {
  const { t } = useRendering();
  const [first, rest] = cutAtLineBreak(describeCookies(t, profile, theme));
  const isStrict = profile === 'strict';
  return (
    <section
      className={`${styles.notice} ${styles[theme]}`}
      aria-label={t('cookieNotice')}
      data-tone="navy"
      data-consent-theme={theme}
      data-text-hash={hashTexts(consentTexts(t, profile, theme))}
      hidden
    >
      <div className={styles.text}>
        <p>{first}</p>{' '}
        {rest !== '' && (
          <p id="_consent-details" hidden>
            {rest}
          </p>
        )}
        {isStrict && <p className={styles.gpc}>{t('gpcNote')}</p>}
        <p className={styles.links}>
          {rest !== '' && (
            <button
              type="button"
              aria-expanded="false"
              aria-controls="_consent-details"
              data-consent-more={t('showMore')}
              data-consent-less={t('showLess')}
            >
              {t('showMore')}
            </button>
          )}
          {policy && <Link to={policy} />}
        </p>
      </div>
      <div className={styles.choices}>
        <button type="button" data-consent-choice="accept">
          {t('acceptAll')}
        </button>
        {isStrict && (
          <button type="button" data-consent-choice="reject">
            {t('rejectAll')}
          </button>
        )}
        {theme === 'gdpr' && (
          <button type="button" data-consent-settings="">
            {t('manageCookies')}
          </button>
        )}
      </div>
    </section>
  );
}
