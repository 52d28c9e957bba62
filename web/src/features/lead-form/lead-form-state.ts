/** The state of a form: the visible step, and whether it is being sent. Pure; react-hook-form holds the values. */

export type Sending =
  | { status: 'open' }
  /** `part`: how much of it is uploaded, from 0 to 1. */
  | { status: 'sending'; part: number }
  | { status: 'failed'; reason: 'refused' | 'unreachable' }
  /** Waits on the visitor's computer until it is online again. */
  | { status: 'kept' }
  | { status: 'sent' };

export interface LeadFormState {
  step: number;
  /** Counts changes of the step and of the message: the focus goes there. */
  moves: number;
  sending: Sending;
}

export type LeadFormEvent =
  | { type: 'went'; to: number }
  | { type: 'restored'; step: number }
  | { type: 'began' }
  | { type: 'rose'; part: number }
  | { type: 'failed'; reason: 'refused' | 'unreachable' }
  | { type: 'kept' }
  | { type: 'sent' };

export const START: LeadFormState = { step: 0, moves: 0, sending: { status: 'open' } };

export function reduceLeadForm(state: LeadFormState, event: LeadFormEvent): LeadFormState {
  switch (event.type) {
    case 'went':
      return { step: event.to, moves: state.moves + 1, sending: { status: 'open' } };
    case 'restored':
      return { ...state, step: event.step };
    case 'began':
      return { ...state, sending: { status: 'sending', part: 0 } };
    case 'rose':
      return state.sending.status === 'sending'
        ? { ...state, sending: { status: 'sending', part: event.part } }
        : state;
    case 'failed':
      return { ...state, moves: state.moves + 1, sending: { status: 'failed', reason: event.reason } };
    case 'kept':
    case 'sent':
      return { ...state, moves: state.moves + 1, sending: { status: event.type } };
  }
}
