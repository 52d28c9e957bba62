import type { Office } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import styles from './office-filter.module.css';
import { buildOfficeOptions } from './office-options.ts';

/** Buttons that narrow the list with this id to offices of a kind. `filter-offices.part.ts` answers them. */
export function OfficeFilter({ offices, listId }: { offices: Office[]; listId: string }) {
  const { t } = useRendering();
  return (
    // biome-ignore lint/a11y/useSemanticElements: no field is in it, and a legend would be one heading more to see
    <div
      role="group"
      className={styles.filter}
      aria-label={t('filterOffices')}
      aria-controls={listId}
      data-office-filter=""
      data-remembers={listId}
    >
      {buildOfficeOptions(offices, t).map(({ category, name, shown }) => (
        <button
          key={category}
          type="button"
          className={styles.option}
          value={category}
          aria-pressed={category === ''}
          data-says={shown}
        >
          {name}
        </button>
      ))}
      {/* There from the start, because screen readers announce only changes of existing elements. */}
      <p className={styles.count} role="status" />
    </div>
  );
}
