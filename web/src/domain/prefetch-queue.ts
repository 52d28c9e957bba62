/** Which pages are loaded ahead, and when it is a page's turn (spec §9 Prefetch). Pure; the clock is the caller's. */
import { PREFETCH_BATCH_SIZE } from '../constants.ts';

export interface PrefetchQueue {
  /** Paths whose links are in sight, in the order in which they came. */
  waiting: readonly string[];
  /** Paths that have had their turn, whatever came of it. */
  started: readonly string[];
}

export const EMPTY_QUEUE: PrefetchQueue = { waiting: [], started: [] };

/** A link to it has come into sight. A path waits once, and has one turn. */
export function enqueue(queue: PrefetchQueue, path: string): PrefetchQueue {
  if (queue.waiting.includes(path) || queue.started.includes(path)) return queue;
  return { ...queue, waiting: [...queue.waiting, path] };
}

/** No link to it is in sight any more. What has been started goes on. */
export function withdraw(queue: PrefetchQueue, path: string): PrefetchQueue {
  return { ...queue, waiting: queue.waiting.filter((each) => each !== path) };
}

/** Those whose turn it is, and what is left. */
export function takeBatch({ waiting, started }: PrefetchQueue): [batch: readonly string[], rest: PrefetchQueue] {
  const batch = waiting.slice(0, PREFETCH_BATCH_SIZE);
  return [batch, { waiting: waiting.slice(PREFETCH_BATCH_SIZE), started: [...started, ...batch] }];
}

/** Robots read every page anyway. */
export function isRobot(userAgent: string): boolean {
  return /bot|crawler|spider|crawling/i.test(userAgent);
}
