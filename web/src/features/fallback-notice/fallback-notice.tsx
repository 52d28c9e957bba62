import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import styles from './fallback-notice.module.css';

/** Returns whether visitors of a site in one language need to be told that a page is in another. */
export function needsNotice(site: string, page: string): boolean {
  return languageOf(site) !== languageOf(page);
}

/** Tells in the site's language that the page exists only in `lang`. */
export function FallbackNotice({ lang }: { lang: string }) {
  const { t, lang: own } = useRendering();
  const language = new Intl.DisplayNames([own], { type: 'language' }).of(languageOf(lang)) ?? lang;
  return (
    <p className={styles.notice} data-tone="paper" data-fallback-notice="">
      <Icon name="globe" />
      <span>{t('onlyInLanguage', { language })}</span>
    </p>
  );
}

function languageOf(tag: string): string {
  return new Intl.Locale(tag).language;
}
