import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import styles from './opening.module.css';

interface ViewCountProps {
  /** Of the article, in the content API. */
  id: string;
  family: 'article' | 'blueprint';
}

/** How often the page was read: kept free until `runtime/count-view.ts` knows, so that nothing moves. */
export function ViewCount({ id, family }: ViewCountProps) {
  const { t, dateLocale } = useRendering();
  const group = new Intl.NumberFormat(dateLocale).formatToParts(1_000_000).find(({ type }) => type === 'group');
  return (
    <span className={styles.views} data-article={id} data-family={family} data-group={group?.value}>
      <Icon name="eye" />
      <span className={styles.spoken}>{t('views')}: </span>
      <span data-count="" />
    </span>
  );
}
