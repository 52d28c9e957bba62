import { expect, it } from 'vitest';
import { chooseAnchor } from './anchors.ts';

const SECTIONS = [
  { anchor: 'situation', top: 500, bottom: 1100 },
  { anchor: 'approach', top: 1100, bottom: 1800 },
  { anchor: 'results', top: 2000, bottom: 2600 },
];

it.each([
  [0, null],
  [699, null],
  [700, 'situation'],
  [1299, 'situation'],
  [1300, 'approach'],
  [2100, null],
  [2200, 'results'],
  [2800, null],
])('scrolled by %i px, %s is current', (scrollY, anchor) => {
  expect(chooseAnchor(SECTIONS, scrollY)).toBe(anchor);
});
