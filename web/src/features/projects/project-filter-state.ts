/** Which case studies are shown (spec §7, content/filter). */
import type { FacetName } from '../../contract/types.ts';

export interface Choice {
  facet: FacetName;
  value: string;
}

export interface FilterState {
  /** The visitor's choice; null for everything. */
  choice: Choice | null;
  /** Ids of the visible items; null for everything. The old ones stay until the answer to `choice` is there. */
  shown: readonly string[] | null;
  status: 'ready' | 'loading' | 'failed';
  /** Counts tries, so that a repeated one differs from the one before. */
  attempt: number;
}

export type FilterEvent =
  | { type: 'chosen'; choice: Choice | null }
  | { type: 'loaded'; ids: readonly string[] }
  | { type: 'failed' }
  | { type: 'retried' };

export const START: FilterState = { choice: null, shown: null, status: 'ready', attempt: 0 };

export function reduceFilter(state: FilterState, event: FilterEvent): FilterState {
  switch (event.type) {
    case 'chosen':
      return event.choice
        ? { ...state, choice: event.choice, status: 'loading', attempt: state.attempt + 1 }
        : { ...START, attempt: state.attempt + 1 };
    case 'loaded':
      return { ...state, shown: event.ids, status: 'ready' };
    case 'failed':
      return { ...state, status: 'failed' };
    case 'retried':
      return { ...state, status: 'loading', attempt: state.attempt + 1 };
  }
}
