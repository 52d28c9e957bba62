import type { SharedData } from '../../contract/types.ts';
import { PURPOSES, type Purpose } from '../../domain/consent.ts';
import type { TextKey } from '../../locales/texts.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import styles from './consent.module.css';
import { consentTexts, hashTexts } from './consent-texts.ts';

const LABELS: Record<Purpose, { name: TextKey; text: TextKey }> = {
  analytics_storage: { name: 'statistics', text: 'statisticsText' },
  ad_storage: { name: 'advertising', text: 'advertisingText' },
};

/** A switch for each purpose, and the message that a choice was saved. Operated by `browser/consent-controls.ts`. */
export function ConsentSettings({ shared: { visitor } }: { shared: SharedData }) {
  const { t } = useRendering();
  const profile = visitor.consentProfile;
  const saved = `${t('choiceSaved')} ${t('cookieChange', { settings: t('cookieSettings') })}`;
  return (
    <>
      <dialog
        className={styles.settings}
        aria-labelledby="_consent-settings"
        data-tone="paper"
        data-consent-dialog=""
        data-text-hash={hashTexts(consentTexts(t, profile, 'settings'))}
      >
        <form method="dialog">
          {/* biome-ignore lint/a11y/noAutofocus: of the dialog when it opens, not of the page */}
          <h2 id="_consent-settings" tabIndex={-1} autoFocus>
            {t('cookieSettings')}
          </h2>
          {profile === 'strict' && <p className={styles.gpc}>{t('gpcNote')}</p>}
          <ul>
            <li>
              <b>{t('necessary')}</b>
              <span>{t('alwaysOn')}</span>
              <p>{t('necessaryText')}</p>
            </li>
            {[...PURPOSES].reverse().map((purpose) => (
              <li key={purpose}>
                <label htmlFor={`_consent-${purpose}`}>{t(LABELS[purpose].name)}</label>
                <input
                  type="checkbox"
                  // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked
                  role="switch"
                  id={`_consent-${purpose}`}
                  name={purpose}
                  aria-describedby={`_consent-${purpose}-text`}
                />
                <p id={`_consent-${purpose}-text`}>{t(LABELS[purpose].text)}</p>
              </li>
            ))}
          </ul>
          <button type="submit" value="save">
            {t('saveChoice')}
          </button>
          <button type="submit" value="" aria-label={t('close')}>
            <Icon name="x" />
          </button>
        </form>
      </dialog>
      <p className={styles.status} role="status" data-tone="paper" data-consent-status={saved} />
    </>
  );
}
