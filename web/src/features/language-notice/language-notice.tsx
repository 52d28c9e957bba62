import { useRendering } from '../../rendering/context.ts';
import styles from './language-notice.module.css';

/** Warns that the target of a link is in English. Opened by `browser/notice-language.ts`. */
export function LanguageNotice() {
  const { t } = useRendering();
  return (
    <dialog className={styles.notice} aria-labelledby="_language-notice" data-tone="paper" data-language-notice="">
      <h2 id="_language-notice">{t('languageNoticeTitle')}</h2>
      <p>{t('languageNoticeText')}</p>
      <form method="dialog">
        <button type="submit">{t('stayHere')}</button>
        {/* Its address is that of the link that was followed. */}
        <a href="/" hrefLang="en">
          {t('continueInEnglish')}
        </a>
      </form>
    </dialog>
  );
}
