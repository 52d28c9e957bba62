/**
 * A visitor's state on a page, stored with the entry of the tab's history. The browser restores it with the entry, also after a
 * document was loaded, and drops it with the entry.
 */

/** Returns the value stored under a name; undefined if there is none. */
export function readFromEntry(name: string): unknown {
  return readState()[name];
}

/** Keep a value, which must be serialisable, with the current entry. */
export function keepInEntry(name: string, value: unknown): void {
  const state = { ...readState(), [name]: value };
  try {
    // `replaceState` would cancel a navigation that is under way.
    if (globalThis.navigation) navigation.updateCurrentEntry({ state });
    else history.replaceState(state, '');
  } catch {
    // Too large, or too often: going back shows the page as it is published.
  }
}

function readState(): Record<string, unknown> {
  return Object(globalThis.navigation ? navigation.currentEntry?.getState() : history.state);
}
