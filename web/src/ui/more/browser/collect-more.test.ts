import { describe, expect, it } from 'vitest';
import { collectMore } from './collect-more.ts';

describe('collecting', () => {
  const item = (id: string) => ({ id });

  /** Three pages, at 0, 1 and 2; notes where it was asked. */
  function book(...pages: string[][]) {
    const asked: number[] = [];
    const load = async (at: number) => {
      asked.push(at);
      return { items: (pages[at] ?? []).map(item), next: at + 1 < pages.length ? at + 1 : null };
    };
    return { asked, load };
  }

  it('leaves out what is known, and asks on until there is enough that is new', async () => {
    const { asked, load } = book(['a', 'b'], ['b', 'c'], ['d', 'e'], ['f']);
    expect(await collectMore(load, 0, new Set(['a', 'b']), 2)).toEqual({ items: ['c', 'd', 'e'].map(item), next: 3 });
    expect(asked).toEqual([0, 1, 2]);
  });

  it('ends where there is no more, though it is not enough', async () => {
    const { asked, load } = book(['a'], ['b']);
    expect(await collectMore(load, 0, new Set(['a', 'b']), 6)).toEqual({ items: [], next: null });
    expect(asked).toEqual([0, 1]);
  });

  it('takes nothing twice when an item has moved from page to page', async () => {
    const { load } = book(['a', 'b'], ['b', 'c']);
    expect(await collectMore(load, 0, new Set(), 3)).toEqual({ items: ['a', 'b', 'c'].map(item), next: null });
  });
});
