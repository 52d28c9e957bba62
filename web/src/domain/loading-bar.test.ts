import { expect, it } from 'vitest';
import { nextBarPart, START_OF_BAR } from './loading-bar.ts';

it.each([
  [0.08, 0.18],
  [0.18, 0.28],
  [0.28, 0.32],
  [0.5, 0.52],
  [0.8, 0.805],
  [0.99, 0.99],
])('after %f comes %f', (part, next) => {
  expect(nextBarPart(part)).toBeCloseTo(next);
});

it('never arrives', () => {
  let part = START_OF_BAR;
  for (let step = 0; step < 1000; step += 1) part = nextBarPart(part);
  expect(part).toBeGreaterThan(0.98);
  expect(part).toBeLessThan(1);
});
