import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { drawChart } from './chart.ts';
import { seedOfPath } from './seed.ts';

const SEEDS = [0, 1, 2718281828, 2 ** 32 - 1];

describe('drawChart', () => {
  it('draws the same chart for the same seed, and another for another', () => {
    expect(drawChart(7)).toEqual(drawChart(7));
    expect(drawChart(7).coast).not.toBe(drawChart(8).coast);
  });

  it('is the chart that it has always been: pages and pictures to share are known by it', () => {
    const drawn = Array.from({ length: 300 }, (_, index) => drawChart(Math.imul(index, 2654435761) >>> 0));
    expect(createHash('sha256').update(JSON.stringify(drawn)).digest('hex').slice(0, 16)).toBe('ff340f6609f07d53');
  });

  it.each(SEEDS)('stays small: the coasts of seed %d are under two kilobytes', (seed) => {
    expect(drawChart(seed).coast.length).toBeLessThan(2048);
  });

  it.each(SEEDS)('is a path that closes each isle, for seed %d', (seed) => {
    expect(drawChart(seed).coast).toMatch(/^(M-?\d+[ -]\d+l[-\d ]+z){3}$/);
  });
});

describe('seedOfPath', () => {
  // zlib.crc32(b"home"), zlib.crc32(b"about-us")
  it.each([
    ['/', 1909853392],
    ['/about-us', 3797336061],
  ])('is the CRC-32 of the page key of %s, as in the publisher', (path, seed) => {
    expect(seedOfPath(path)).toBe(seed);
  });

  it('does not look at anchors', () => {
    expect(seedOfPath('/about-us#offices')).toBe(seedOfPath('/about-us'));
  });
});
