/**
 * Which sub-menu is open (spec §4, desktop sub-menu). Events in, state out; timers and popovers are `submenus.ts`'s.
 *
 * `now` is in milliseconds of any clock that only goes forward. After each event the caller waits until `due` and then
 * sends `time`, unless another event came first.
 */
import { SUBMENU_CLOSE_DELAY_MS, SUBMENU_OPEN_DELAY_MS, SUBMENU_SWITCH_DELAY_MS } from '../../constants.ts';

export interface SubmenuState {
  open: string | null;
  /** Opened by click, touch or key: it stays open when the pointer leaves. */
  pinned: boolean;
  /** The change at `due` unless another one comes first: open `key`, or close for null. */
  pending: { key: string | null; due: number } | null;
  /** Closed with Escape under the pointer: stays closed until the pointer has left. */
  dismissed: string | null;
}

export type SubmenuEvent =
  /** The mouse came to a menu item. `aiming`: it is on its way to the open panel. */
  | { type: 'over'; key: string; aiming: boolean; now: number }
  /** It is over the open panel, or over its own item again. */
  | { type: 'home'; now: number }
  /** It left menu and panel. */
  | { type: 'out'; now: number }
  | { type: 'toggle'; key: string }
  | { type: 'escape' }
  /** Focus left the menu, the window is used elsewhere, the screen became narrow. */
  | { type: 'close' }
  | { type: 'time'; now: number };

export const CLOSED: SubmenuState = { open: null, pinned: false, pending: null, dismissed: null };

export function reduceSubmenu(state: SubmenuState, event: SubmenuEvent): SubmenuState {
  switch (event.type) {
    case 'over':
      return over(state, event.key, event.aiming, event.now);
    case 'home':
      return { ...state, pending: null };
    case 'out': {
      const closes = state.open !== null && !state.pinned;
      const pending = closes ? { key: null, due: event.now + SUBMENU_CLOSE_DELAY_MS } : null;
      return { ...state, pending, dismissed: null };
    }
    case 'toggle':
      // A click on an item that hovering has just opened keeps it open; the next click closes it.
      if (state.open === event.key && state.pinned) return CLOSED;
      return { open: event.key, pinned: true, pending: null, dismissed: null };
    case 'escape':
      return { ...CLOSED, dismissed: state.open };
    case 'close':
      return CLOSED;
    case 'time': {
      const { pending } = state;
      if (!pending || event.now < pending.due) return state;
      return { open: pending.key, pinned: false, pending: null, dismissed: null };
    }
  }
}

function over(state: SubmenuState, key: string, aiming: boolean, now: number): SubmenuState {
  if (key === state.dismissed) return state;
  const dismissed = null;
  if (key === state.open) return { ...state, pending: null, dismissed };
  // While the pointer heads for the panel, each step restarts the wait: only resting on this item opens it.
  if (state.pending?.key === key && !aiming) return { ...state, dismissed };
  const delay = state.open === null ? SUBMENU_OPEN_DELAY_MS : SUBMENU_SWITCH_DELAY_MS;
  return { ...state, pending: { key, due: now + delay }, dismissed };
}
