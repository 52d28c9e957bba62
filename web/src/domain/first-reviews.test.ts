import { expect, it } from 'vitest';
import { placeReviews } from './first-reviews.ts';

/** Of a site with eight reviews: the first three of all, and of each country. */
const REVIEWS = [
  { id: 'a', country: 'gb' },
  { id: 'b', country: 'gb' },
  { id: 'c', country: 'fr' },
  { id: 'd', country: 'ae' },
  { id: 'e', country: 'gb' },
  { id: 'f', country: 'ae' },
  { id: 'g', country: 'fr' },
];

/** Returns the reviews that a visitor from the country sees, by the page's styles and `order-reviews.ts`. */
function seen(visitor: string): string[] {
  const visible = placeReviews(REVIEWS, 3).filter(
    ({ review, isFirst, yieldsTo }) => review.country === visitor || (isFirst && !yieldsTo.includes(visitor)),
  );
  const own = visible.filter(({ review }) => review.country === visitor);
  return [...own, ...visible.filter((one) => !own.includes(one))].map(({ review }) => review.id);
}

it.each([
  ['', 'abc'],
  ['pl', 'abc'],
  ['gb', 'abe'],
  ['fr', 'cga'],
  ['ae', 'dfa'],
])('a visitor from “%s” sees %s', (country, ids) => {
  expect(seen(country).join('')).toBe(ids);
});

it('three of three yield to nobody', () => {
  expect(placeReviews(REVIEWS.slice(0, 3), 3).flatMap(({ yieldsTo }) => yieldsTo)).toEqual([]);
});
