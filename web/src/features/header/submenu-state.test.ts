import { describe, expect, it } from 'vitest';
import { CLOSED, reduceSubmenu, type SubmenuEvent, type SubmenuState } from './submenu-state.ts';

type Case = [what: string, events: SubmenuEvent[], open: string | null];

function stateAfter(...events: SubmenuEvent[]): SubmenuState {
  return events.reduce(reduceSubmenu, CLOSED);
}

const over = (key: string, now: number, aiming = false): SubmenuEvent => ({ type: 'over', key, now, aiming });
const time = (now: number): SubmenuEvent => ({ type: 'time', now });
const out = (now: number): SubmenuEvent => ({ type: 'out', now });
const toggle = (key: string): SubmenuEvent => ({ type: 'toggle', key });
const HOVERED: SubmenuEvent[] = [over('a', 0), time(200)];

describe('with the mouse', () => {
  it.each([
    ['opens nothing at 199 ms', [over('a', 0), time(199)], null],
    ['opens at 200 ms', [over('a', 0), time(200)], 'a'],
    ['moving on the item does not start the wait anew', [over('a', 0), over('a', 150), time(200)], 'a'],
    ['leaving before opens nothing', [over('a', 0), out(150), time(500)], null],
    ['with another one open nothing at 99 ms', [...HOVERED, over('b', 300), time(399)], 'a'],
    ['and switches at 100 ms', [...HOVERED, over('b', 300), time(400)], 'b'],
    [
      'on its way to the panel it crosses others',
      [...HOVERED, over('b', 300, true), over('b', 390, true), time(480)],
      'a',
    ],
    ['but resting on the way means it', [...HOVERED, over('b', 300, true), over('b', 390, true), time(490)], 'b'],
    [
      'reaching the panel forgets what was crossed',
      [...HOVERED, over('b', 300, true), { type: 'home', now: 350 }, time(900)],
      'a',
    ],
    ['leaving closes, not at once', [...HOVERED, out(300), time(599)], 'a'],
    ['but soon', [...HOVERED, out(300), time(600)], null],
    ['coming back in time keeps it', [...HOVERED, out(300), { type: 'home', now: 500 }, time(900)], 'a'],
  ] satisfies Case[])('%s', (_, events, open) => {
    expect(stateAfter(...events).open).toBe(open);
  });
});

describe('with click, touch and keys', () => {
  it.each([
    ['opens', [toggle('a')], 'a'],
    ['closes again', [toggle('a'), toggle('a')], null],
    ['switches', [toggle('a'), toggle('b')], 'b'],
    ['keeps what hovering has opened', [...HOVERED, toggle('a')], 'a'],
    ['and closes it the next time', [...HOVERED, toggle('a'), toggle('a')], null],
    ['stays when the mouse leaves', [toggle('a'), out(100), time(9999)], 'a'],
    ['a click before the wait is over counts once', [over('a', 0), toggle('a'), time(200)], 'a'],
    ['Escape closes', [toggle('a'), { type: 'escape' }], null],
    ['focus elsewhere closes', [toggle('a'), { type: 'close' }], null],
  ] satisfies Case[])('%s', (_, events, open) => {
    expect(stateAfter(...events).open).toBe(open);
  });
});

describe('what Escape has closed', () => {
  const escaped: SubmenuEvent[] = [...HOVERED, { type: 'escape' }];

  it('stays shut under the pointer', () => {
    expect(stateAfter(...escaped, over('a', 300), time(900)).open).toBeNull();
  });

  it('opens once the pointer has left and come back', () => {
    expect(stateAfter(...escaped, out(300), over('a', 400), time(600)).open).toBe('a');
  });

  it('does not keep others shut', () => {
    expect(stateAfter(...escaped, over('b', 300), time(500)).open).toBe('b');
  });
});
