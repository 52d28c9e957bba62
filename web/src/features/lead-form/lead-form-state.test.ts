import { describe, expect, it } from 'vitest';
import { type LeadFormEvent, type LeadFormState, reduceLeadForm, START } from './lead-form-state.ts';

const STORIES: [story: string, events: LeadFormEvent[], state: LeadFormState][] = [
  ['nothing has happened', [], { step: 0, moves: 0, sending: { status: 'open' } }],
  ['a step forward', [{ type: 'went', to: 1 }], { step: 1, moves: 1, sending: { status: 'open' } }],
  ['a draft moves no focus', [{ type: 'restored', step: 3 }], { step: 3, moves: 0, sending: { status: 'open' } }],
  [
    'on its way up',
    [{ type: 'began' }, { type: 'rose', part: 0.5 }],
    { step: 0, moves: 0, sending: { status: 'sending', part: 0.5 } },
  ],
  [
    'a failure leaves the step, and going on takes it away',
    [{ type: 'went', to: 2 }, { type: 'began' }, { type: 'failed', reason: 'unreachable' }],
    { step: 2, moves: 2, sending: { status: 'failed', reason: 'unreachable' } },
  ],
  [
    'what rises after the end is nothing any more',
    [{ type: 'began' }, { type: 'sent' }, { type: 'rose', part: 1 }],
    { step: 0, moves: 1, sending: { status: 'sent' } },
  ],
  [
    'kept, and sent later',
    [{ type: 'began' }, { type: 'kept' }, { type: 'sent' }],
    { step: 0, moves: 2, sending: { status: 'sent' } },
  ],
];

describe('a form', () => {
  it.each(STORIES)('%s', (_, events, state) => {
    expect(events.reduce(reduceLeadForm, START)).toEqual(state);
  });
});
