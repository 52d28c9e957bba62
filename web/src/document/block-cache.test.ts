import { describe, expect, it } from 'vitest';
import { BlockCache } from './block-cache.ts';

const part = (html: string) => ({ html, islands: [] });

describe('the cache of blocks', () => {
  it('gives back what was made of the same source, and nothing for another', () => {
    const cache = new BlockCache(100);
    cache.set('a', 'source 1', part('one'));
    expect(cache.get('a', 'source 1')?.html).toBe('one');
    expect(cache.get('a', 'source 2')).toBeUndefined();
    expect(cache.get('b', 'source 1')).toBeUndefined();
  });

  it('keeps the newest of a block', () => {
    const cache = new BlockCache(100);
    cache.set('a', '1', part('one'));
    cache.set('a', '2', part('two'));
    expect(cache.get('a', '1')).toBeUndefined();
    expect(cache.get('a', '2')?.html).toBe('two');
  });

  it('lets go of what was not asked for the longest', () => {
    const cache = new BlockCache(12);
    cache.set('a', '1', part('aaaa'));
    cache.set('b', '1', part('bbbb'));
    cache.get('a', '1');
    cache.set('c', '1', part('cccc'));
    expect([cache.get('a', '1'), cache.get('b', '1'), cache.get('c', '1')].map((found) => found?.html)).toEqual([
      'aaaa',
      undefined,
      'cccc',
    ]);
  });

  it('does not count what it has replaced', () => {
    const cache = new BlockCache(12);
    for (let round = 0; round < 10; round++) cache.set('a', String(round), part('aaaa'));
    cache.set('b', '1', part('bbbb'));
    expect(cache.get('a', '9')?.html).toBe('aaaa');
  });
});
