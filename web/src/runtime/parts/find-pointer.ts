/**
 * Returns the pointer's position, for code that was fetched because of the pointer: a resting pointer fires no further events.
 */
import { lastPointer } from './pointer.ts';

export interface Pointer {
  over: Element;
  /** When it came there, of `performance.now()`; one that has lain there since before any script came just now. */
  since: number;
  /** A finger stays on nothing, though browsers go on to say so. */
  isMouse: boolean;
}

/** Null where it is over nothing. */
export function findPointer(): Pointer | null {
  const over = [...document.querySelectorAll(':hover')].at(-1);
  if (!over) return null;
  const last = lastPointer();
  if (last) return { over, since: last.at, isMouse: last.pointerType === 'mouse' };
  return { over, since: performance.now(), isMouse: matchMedia('(hover: hover)').matches };
}
