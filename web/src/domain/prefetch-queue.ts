/** Which pages are prefetched, and when (spec §9 Prefetch). Pure; the clock is the caller's. */
import { PREFETCH_BATCH_SIZE } from '../constants.ts';

export interface PrefetchQueue {
  /** Paths whose links are in sight, in the order in which they came. */
  waiting: readonly string[];
  /** Paths that were prefetched, successfully or not. */
  started: readonly string[];
}

export const EMPTY_QUEUE: PrefetchQueue = { waiting: [], started: [] };

/** A link to the path has come into sight. A path is queued once, and prefetched once. */
export function enqueue(queue: PrefetchQueue, path: string): PrefetchQueue {
  if (queue.waiting.includes(path) || queue.started.includes(path)) return queue;
  return { ...queue, waiting: [...queue.waiting, path] };
}

/** No link to the path is in sight any more. A prefetch that has started goes on. */
export function withdraw(queue: PrefetchQueue, path: string): PrefetchQueue {
  return { ...queue, waiting: queue.waiting.filter((each) => each !== path) };
}

/** The paths to prefetch now, and the queue that is left. */
export function takeBatch({ waiting, started }: PrefetchQueue): [batch: readonly string[], rest: PrefetchQueue] {
  const batch = waiting.slice(0, PREFETCH_BATCH_SIZE);
  return [batch, { waiting: waiting.slice(PREFETCH_BATCH_SIZE), started: [...started, ...batch] }];
}

/** Robots read every page anyway. */
export function isRobot(userAgent: string): boolean {
  return /bot|crawler|spider|crawling/i.test(userAgent);
}
