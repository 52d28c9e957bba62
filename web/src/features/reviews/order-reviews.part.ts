/**
 * Puts a list of testimonials into the order that its styles show (`entries/visitor.ts`), for screen readers, and removes items
 * that are hidden from this visitor. Nothing moves on screen. Without React. It may run twice.
 */
import { readServedCountry } from '../../lib/visitor-country.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-reviews]', when: 'load' };
export { orderReviews as run };

async function orderReviews(list: HTMLElement): Promise<void> {
  const country = readServedCountry() ?? '';
  const own: HTMLElement[] = [];
  for (const row of list.querySelectorAll<HTMLElement>(':scope > [data-review-country]')) {
    if (row.dataset['reviewCountry'] === country) {
      row.hidden = false;
      own.push(row);
    } else if (row.hidden || row.dataset['yieldsTo']?.split(' ').includes(country)) row.remove();
  }
  if (own.some((row, index) => row !== list.children[index])) list.prepend(...own);
}
