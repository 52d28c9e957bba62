import type { Office } from '../../contract/types.ts';
import type { Translate } from '../../locales/catalog.ts';

export interface OfficeFilterProps {
  /** Id of the list whose cards carry `data-office-category`. */
  listId: string;
  label: string;
  options: {
    /** Name of the category; empty for all. */
    category: string;
    name: string;
    /** What is announced when the option was chosen, with the plural of the page's language. */
    shown: string;
  }[];
}

/** One option for all offices and one for each category, in the order in which the offices bring them up. */
export function buildOfficeFilterProps(offices: Office[], listId: string, t: Translate): OfficeFilterProps {
  const counts = new Map<string, number>();
  for (const { category } of offices) counts.set(category.name, (counts.get(category.name) ?? 0) + 1);
  const all = { category: '', name: t('allCategories'), shown: t('officesShown', { n: offices.length }) };
  const some = [...counts].map(([name, n]) => ({ category: name, name, shown: t('officesShown', { n }) }));
  return { listId, label: t('filterOffices'), options: [all, ...some] };
}
