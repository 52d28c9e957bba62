/** Shows whether the branch is open now, and updates the text while the page is open. */
import type { Part } from 'portolan/runtime/parts/parts.ts';
import { momentIn, stateAt, type Week } from './week.ts';

/** The data in the published page: sentences in its language, by their minutes. */
export interface ClockNotes {
  zone: string;
  week: Week;
  closedOn: string[];
  closed: string;
  until: Record<string, string>;
  today: Record<string, string>;
  /** By day and minute. */
  later: Record<string, string>;
}

const LOOK_MS = 15_000;

export const part: Part = { on: '[data-own-open-now]', when: 'near' };
export { sayWhetherOpen as run };

async function sayWhetherOpen(element: HTMLElement, left: AbortSignal): Promise<void> {
  const notes: ClockNotes = JSON.parse(element.dataset.ownOpenNow ?? '');
  const words = element.querySelector('[data-own-words]');
  const look = () => {
    const state = stateAt(notes.week, notes.closedOn, momentIn(notes.zone, new Date()));
    const said = sentence(state, notes);
    if (words && words.textContent !== said) words.textContent = said;
    element.setAttribute('data-own-known', state.open ? 'open' : 'closed');
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  left.addEventListener('abort', () => clearInterval(timer));
}

function sentence(state: ReturnType<typeof stateAt>, notes: ClockNotes): string {
  if (state.open) return notes.until[state.until] ?? notes.closed;
  const { next } = state;
  if (!next) return notes.closed;
  return (next.in === 0 ? notes.today[next.at] : notes.later[`${next.day} ${next.at}`]) ?? notes.closed;
}
