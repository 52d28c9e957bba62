import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import styles from './page-loading.module.css';

/**
 * Signs for visitors while one page replaces another (`runtime/navigation/navigation.ts`): nothing at first, a bar after a second,
 * and an alert if the page fails.
 */
export function PageLoading() {
  const { t } = useRendering();
  return (
    <>
      <div className={styles.bar} aria-hidden="true" hidden data-loading-bar="" data-loading={t('pageLoading')} />
      <VisuallyHidden as="p" role="status" data-announcer="" data-arrived={t('pageShown')} />
      <div className={styles.alert} role="alert" data-tone="ink" data-load-alert="" hidden>
        <p>{t('pageNotLoaded')}</p>
        <p className={styles.ways}>
          <button type="button" data-retry="">
            {t('tryAgain')}
          </button>
          {/* Its address is that of the page that was asked for. */}
          <a href="/">{t('openPage')}</a>
        </p>
        <button className={styles.dismiss} type="button" aria-label={t('close')} data-dismiss="">
          <Icon name="x" />
        </button>
      </div>
    </>
  );
}
