import type { Office } from '../../contract/types.ts';
import type { Translate } from '../../locales/catalog.ts';

export interface OfficeOption {
  /** Name of the category; empty for all. */
  category: string;
  name: string;
  /** The announcement after the choice, with the plural of the page's language. */
  shown: string;
}

/** One option for all offices and one for each category, in the order in which the offices bring them up. */
export function buildOfficeOptions(offices: Office[], t: Translate): OfficeOption[] {
  const counts = new Map<string, number>();
  for (const { category } of offices) counts.set(category.name, (counts.get(category.name) ?? 0) + 1);
  const all = { category: '', name: t('allCategories'), shown: t('officesShown', { n: offices.length }) };
  const some = [...counts].map(([name, n]) => ({ category: name, name, shown: t('officesShown', { n }) }));
  return [all, ...some];
}
