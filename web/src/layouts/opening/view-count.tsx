import { remember } from '../../domain/remember.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import styles from './opening.module.css';

/** The separator of thousands. */
const groupMark = remember(
  (locale: string) =>
    new Intl.NumberFormat(locale).formatToParts(1_000_000).find(({ type }) => type === 'group')?.value,
);

interface ViewCountProps {
  /** Of the article, in the content API. */
  id: string;
  family: 'article' | 'blueprint';
}

/** How often the page was read: kept free until `layouts/opening/count-view.part.ts` knows, so that nothing moves. */
export function ViewCount({ id, family }: ViewCountProps) {
  const { t, dateLocale } = useRendering();
  return (
    <span className={styles.views} data-article={id} data-family={family} data-group={groupMark(dateLocale)}>
      <Icon name="eye" />
      <VisuallyHidden>{t('views')}: </VisuallyHidden>
      <span data-count="" translate="no" />
    </span>
  );
}
