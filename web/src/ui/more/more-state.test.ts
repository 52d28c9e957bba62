import { describe, expect, it } from 'vitest';
import { type MoreState, reduceMore, startMore } from './more-state.ts';

const start: MoreState<string> = startMore(2);

describe('a list that grows', () => {
  it('waits, then has more and knows where to go on', () => {
    const loading = reduceMore(start, { type: 'asked' });
    expect(loading).toEqual({ items: [], next: 2, status: 'loading' });
    const more = reduceMore(loading, { type: 'loaded', items: ['a', 'b'], next: 3 });
    expect(more).toEqual({ items: ['a', 'b'], next: 3, status: 'ready' });
    expect(reduceMore(more, { type: 'loaded', items: ['c'], next: null })).toEqual({
      items: ['a', 'b', 'c'],
      next: null,
      status: 'ready',
    });
  });

  it('keeps what it has when loading fails, and can be asked again', () => {
    const some: MoreState<string> = { items: ['a'], next: 3, status: 'loading' };
    const failed = reduceMore(some, { type: 'failed' });
    expect(failed).toEqual({ items: ['a'], next: 3, status: 'failed' });
    expect(reduceMore(failed, { type: 'asked' }).status).toBe('loading');
  });

  it('asks for nothing after the last', () => {
    const all: MoreState<string> = { items: ['a'], next: null, status: 'ready' };
    expect(reduceMore(all, { type: 'asked' })).toBe(all);
  });
});
