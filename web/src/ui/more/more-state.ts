/** A list that grows on demand: what came in after the page's own items, and where the next ones begin. */

export interface MoreState<Item> {
  /** Those that were not in the page. */
  items: readonly Item[];
  /** Where to ask on; null after the last. */
  next: number | null;
  status: 'ready' | 'loading' | 'failed';
}

export type MoreEvent<Item> =
  | { type: 'asked' }
  | { type: 'loaded'; items: readonly Item[]; next: number | null }
  | { type: 'failed' };

export function startMore<Item>(next: number): MoreState<Item> {
  return { items: [], next, status: 'ready' };
}

export function reduceMore<Item>(state: MoreState<Item>, event: MoreEvent<Item>): MoreState<Item> {
  switch (event.type) {
    case 'asked':
      return state.next === null ? state : { ...state, status: 'loading' };
    case 'loaded':
      return { items: [...state.items, ...event.items], next: event.next, status: 'ready' };
    case 'failed':
      return { ...state, status: 'failed' };
  }
}
