import { describe, expect, it } from 'vitest';
import { chooseAnchor, followOn } from './anchors.ts';

const SECTIONS = [
  { anchor: 'situation', top: 500, bottom: 1100 },
  { anchor: 'approach', top: 1100, bottom: 1800 },
  { anchor: 'results', top: 2000, bottom: 2600 },
];

it.each([
  [0, null],
  [299, null],
  [300, 'situation'],
  [899, 'situation'],
  [900, 'approach'],
  [1599, 'approach'],
  [1600, null],
  [1799, null],
  [1800, 'results'],
  [2399, 'results'],
  [2400, null],
])('scrolled by %i px, %s is current', (scrollY, anchor) => {
  expect(chooseAnchor(SECTIONS, scrollY)).toBe(anchor);
});

describe('a link that was followed', () => {
  const onItsWay = { anchor: 'results', hasArrived: false };
  const there = { anchor: 'results', hasArrived: true };

  it.each([
    ['is on its way', onItsWay, 400, false, onItsWay],
    ['has arrived', onItsWay, 0, false, there],
    ['has arrived, but for what the browser rounds', onItsWay, -0.6, true, there],
    ['was broken off', onItsWay, 400, true, null],
    ['is there still', there, 0, true, there],
    ['is left again, by whatever', there, -2, false, null],
  ])('%s', (_, followed, distance, hasEnded, left) => {
    expect(followOn(followed, distance, hasEnded)).toEqual(left);
  });
});
