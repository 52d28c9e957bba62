/** Which pages are prefetched, and when (spec §9 Prefetch). Pure; the clock is the caller's. */
import { PREFETCH_BATCH_SIZE } from '../constants.ts';

/** The paths to prefetch now: of links in sight, in the order in which they came, each once however that ended. */
export function nextBatch(inSight: Iterable<string>, started: ReadonlySet<string>): string[] {
  return [...new Set(inSight)].filter((path) => !started.has(path)).slice(0, PREFETCH_BATCH_SIZE);
}

/** Robots read every page anyway. */
export function isRobot(userAgent: string): boolean {
  return /bot|crawler|spider|crawling/i.test(userAgent);
}
