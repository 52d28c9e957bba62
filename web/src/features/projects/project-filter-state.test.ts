import { describe, expect, it } from 'vitest';
import { type FilterEvent, type FilterState, reduceFilter, START } from './project-filter-state.ts';

const CARE = { facet: 'industry', value: 'healthcare' } as const;
const REACT = { facet: 'technology', value: 'react-js' } as const;

/** Events, and the resulting states. */
const STORIES: [story: string, events: FilterEvent[], state: FilterState][] = [
  ['nothing is asked', [], { choice: null, shown: null, status: 'ready', attempt: 0 }],
  [
    'all stays in sight while the answer is on its way',
    [{ type: 'chosen', choice: CARE }],
    { choice: CARE, shown: null, status: 'loading', attempt: 1 },
  ],
  [
    'the answer is shown',
    [
      { type: 'chosen', choice: CARE },
      { type: 'loaded', ids: ['a'] },
    ],
    { choice: CARE, shown: ['a'], status: 'ready', attempt: 1 },
  ],
  [
    'the next choice leaves the last answer in sight',
    [
      { type: 'chosen', choice: CARE },
      { type: 'loaded', ids: ['a'] },
      { type: 'chosen', choice: REACT },
    ],
    { choice: REACT, shown: ['a'], status: 'loading', attempt: 2 },
  ],
  [
    'a failure leaves the last answer in sight',
    [
      { type: 'chosen', choice: CARE },
      { type: 'loaded', ids: ['a'] },
      { type: 'chosen', choice: REACT },
      { type: 'failed' },
    ],
    { choice: REACT, shown: ['a'], status: 'failed', attempt: 2 },
  ],
  [
    'what failed is tried again',
    [{ type: 'chosen', choice: CARE }, { type: 'failed' }, { type: 'retried' }],
    { choice: CARE, shown: null, status: 'loading', attempt: 2 },
  ],
  [
    'everything is back at once',
    [
      { type: 'chosen', choice: CARE },
      { type: 'loaded', ids: ['a'] },
      { type: 'chosen', choice: null },
    ],
    { choice: null, shown: null, status: 'ready', attempt: 2 },
  ],
];

describe('the filter of case studies', () => {
  it.each(STORIES)('%s', (_, events, state) => {
    expect(events.reduce(reduceFilter, START)).toEqual(state);
  });
});
