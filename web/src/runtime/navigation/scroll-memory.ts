/**
 * Where the reader was in each entry of the tab's history (spec §2; decisions: Storage keys). The position of a path is the fallback
 * for entries without a position of their own.
 */
import { KEPT_SCROLL_POSITIONS } from '../../constants.ts';
import { readSession, writeSession } from '../../lib/storage.ts';

const ENTRIES = 'scrollEntries';

/** Return the key of the current history entry; empty in browsers that do not name their entries. */
export function currentKey(): string {
  return globalThis.navigation?.currentEntry?.key ?? '';
}

/** Store the current scroll position for a history entry and for its path. The oldest entries are dropped. */
export function keepScroll(key: string, path: string): void {
  const top = Math.round(scrollY);
  writeSession(`scroll:${path}`, String(top));
  if (!key) return;
  const others = readPositions().filter(([known]) => known !== key);
  writeSession(ENTRIES, JSON.stringify([...others, [key, top]].slice(-KEPT_SCROLL_POSITIONS)));
}

/** Return the position of a history entry; null if it was not left in this tab. */
export function readScroll(key: string): number | null {
  return readPositions().find(([known]) => known === key)?.[1] ?? null;
}

/** Return whether the visitor has left the current history entry and come back. */
export function isBack(): boolean {
  return readScroll(currentKey()) !== null;
}

/** Return the position of a path; null if it was not left in this tab. */
export function readPathScroll(path: string): number | null {
  const kept = readSession(`scroll:${path}`);
  return kept === null ? null : Number(kept);
}

/**
 * Make a change that alters the height of the page, such as a list that grows to its earlier length.
 *
 * A reader who came back to this entry stays where they were. A reader who has scrolled since is left alone.
 */
export function stayInPlace<Result>(change: () => Result): Result {
  const top = readScroll(currentKey());
  const { scrollHeight, clientHeight } = document.documentElement;
  const isCutShort = scrollY + clientHeight >= scrollHeight - 1;
  const isThere = top !== null && (Math.abs(scrollY - top) <= 1 || (isCutShort && scrollY < top));
  const result = change();
  if (isThere) scrollTo({ top, behavior: 'instant' });
  return result;
}

function readPositions(): [key: string, top: number][] {
  return JSON.parse(readSession(ENTRIES) ?? '[]');
}
