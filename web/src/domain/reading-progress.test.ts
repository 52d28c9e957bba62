import { describe, expect, it } from 'vitest';
import { readPart, spokenPercent } from './reading-progress.ts';

describe('what has been read', () => {
  it.each([
    [0, 3000, 1000, 0],
    [500, 3000, 1000, 0.25],
    [2000, 3000, 1000, 1],
    [2100, 3000, 1000, 1],
    [-50, 3000, 1000, 0],
    [0, 1000, 1000, null],
    [0, 800, 1000, null],
  ])('at %i px of %i in a window of %i is %s', (scrollY, height, windowHeight, part) => {
    expect(readPart(scrollY, height, windowHeight)).toBe(part);
  });
});

describe('what is told of it', () => {
  it.each([
    [0.03, 0, null],
    [0.05, 0, 5],
    [0.54, 50, null],
    [0.55, 50, 55],
    [0.46, 50, null],
    [0.45, 50, 45],
    [0.998, 98, 100],
    [0.001, 3, 0],
    [1, 100, null],
  ])('%d after %i: %s', (part, told, percent) => {
    expect(spokenPercent(part, told)).toBe(percent);
  });
});
