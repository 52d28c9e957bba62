import '../testing/dom.ts';
import { describe, expect, it, vi } from 'vitest';
import { isSparing } from './connection.ts';

describe('nothing is fetched before it is needed', () => {
  it.each([
    ['on an unknown line', undefined, false],
    ['on 4g', { effectiveType: '4g', saveData: false }, false],
    ['on 3g', { effectiveType: '3g' }, false],
    ['on 2g', { effectiveType: '2g' }, true],
    ['on slow 2g', { effectiveType: 'slow-2g' }, true],
    ['while saving data', { effectiveType: '4g', saveData: true }, true],
  ])('%s: %o', (_, connection, expected) => {
    vi.stubGlobal('navigator', { connection });
    expect(isSparing()).toBe(expected);
    vi.unstubAllGlobals();
  });
});
