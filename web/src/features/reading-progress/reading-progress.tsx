import { useRendering } from '../../rendering/context.ts';
import styles from './reading-progress.module.css';

/** How much of a long page has been read, under the header (spec §2, §4). Shown once `watch-progress.part.ts` knows it. */
export function ReadingProgress() {
  const { t } = useRendering();
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={t('readingProgress')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
      data-reading-progress=""
      hidden
    >
      <div />
    </div>
  );
}
