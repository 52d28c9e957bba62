/** Where each page was scrolled to, for whoever comes back to it in this tab (spec §2; decisions: Storage keys). */
import { readSession, writeSession } from '../../lib/storage.ts';

export function keepScroll(path: string): void {
  writeSession(`scroll:${path}`, String(Math.round(scrollY)));
}

/** Null for a page that was not left in this tab. */
export function readScroll(path: string): number | null {
  const kept = readSession(`scroll:${path}`);
  return kept === null ? null : Number(kept);
}
