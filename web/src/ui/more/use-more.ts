import { useEffect, useReducer, useRef, useState } from 'react';
import { collectMore, type MorePage } from './collect-more.ts';
import { type MoreState, reduceMore, startMore } from './more-state.ts';

interface MoreOptions<Item> {
  /** Id of the static list, whose items carry `data-id`. */
  listId: string;
  /** What `load` is asked for first. */
  start: number;
  /** How many new items one click shows at least, where there are so many. */
  enough: number;
  load: (at: number) => Promise<MorePage<Item>>;
}

interface More<Item> extends MoreState<Item> {
  /** Where the new items go; null while the page is drawn. */
  list: Element | null;
  ask: () => void;
}

/** Lets a static list grow: the first new item gets the focus, so that keyboard users go on there. */
export function useMore<Item extends { id: string }>({ listId, start, enough, load }: MoreOptions<Item>): More<Item> {
  const [state, dispatch] = useReducer(reduceMore<Item>, start, startMore<Item>);
  const [list, setList] = useState<Element | null>(null);
  const focused = useRef(0);

  useEffect(() => setList(document.getElementById(listId)), [listId]);

  useEffect(() => {
    const first = state.items[focused.current];
    focused.current = state.items.length;
    if (first) list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(first.id)}"]`)?.focus({ preventScroll: true });
  }, [state.items, list]);

  function ask() {
    if (state.next === null || state.status === 'loading') return;
    dispatch({ type: 'asked' });
    collectMore(load, state.next, readShown(listId), enough).then(
      (page) => dispatch({ type: 'loaded', ...page }),
      () => dispatch({ type: 'failed' }),
    );
  }

  return { ...state, list, ask };
}

/** Ids of all that stands in the list: the page's own items and those that came in. */
function readShown(listId: string): Set<string> {
  const rows = document.getElementById(listId)?.querySelectorAll<HTMLElement>('[data-id]') ?? [];
  return new Set([...rows].map((row) => row.dataset['id'] ?? ''));
}
