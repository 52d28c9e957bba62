import { describe, expect, it } from 'vitest';
import { breakEvenly } from './sharing-picture.ts';

describe('breakEvenly', () => {
  it.each<[widths: number[], lines: [number, number][]]>([
    [[300], [[0, 1]]],
    // Wider than the measure: it stands alone.
    [[900], [[0, 1]]],
    [
      [700, 700],
      [
        [0, 1],
        [1, 2],
      ],
    ],
    // As many as fit would leave the last one alone.
    [
      [300, 200, 200, 100],
      [
        [0, 2],
        [2, 4],
      ],
    ],
    [[100, 100, 100], [[0, 3]]],
  ])('breaks words of %j', (widths, lines) => {
    expect(breakEvenly(widths, 20, 760)).toEqual(lines);
  });
});
