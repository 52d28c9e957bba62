/** The consequence of the answer to a request for page data (spec §8; decisions: Page runtime). Pure. */
import {
  LOAD_RETRIES,
  LOAD_RETRY_FACTOR,
  LOAD_RETRY_PAUSE_MS,
  LOAD_RETRY_SPREAD,
  RETRY_AFTER_UP_TO_MS,
} from '../constants.ts';
import type { PageData } from '../contract/types.ts';

export interface Answer {
  /** 0 if there was no reply. */
  status: number;
  /** Parsed JSON; undefined where the reply was something else. */
  body: unknown;
  /** The header `Retry-After`; null if there is none. */
  retryAfterMs: number | null;
}

export type Verdict = 'found' | 'not-found' | 'server-error' | 'again';

/**
 * | status | body                   | verdict      |
 * |--------|------------------------|--------------|
 * | 200    | page data              | found        |
 * | 200    | anything else          | not-found    |
 * | 404    |                        | not-found    |
 * | 410    |                        | not-found    |
 * | 500    |                        | server-error |
 * | other  |                        | again        |
 *
 * The second row exists because some servers answer an unknown path with some page and 200. An address that redirects
 * has the data of its target. If the target is on another site, they are page data of no build, and the browser loads the document.
 */
export function judgePage({ status, body }: Answer): Verdict {
  if (status === 200) return isPageData(body) ? 'found' : 'not-found';
  if (status === 404 || status === 410) return 'not-found';
  return status === 500 ? 'server-error' : 'again';
}

export function isPageData(body: unknown): body is PageData {
  return isRecord(body) && ['path', 'html', 'build'].every((key) => typeof body[key] === 'string');
}

/** The site's current build; empty if it is not known. */
export function readBuild({ status, body }: Answer): string {
  return status === 200 && isRecord(body) && typeof body['buildHash'] === 'string' ? body['buildHash'] : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** How long to wait before trying again after `failures` failures; null: not again. `chance` lies between 0 and 1. */
export function pauseBefore(failures: number, retryAfterMs: number | null, chance: number): number | null {
  if (failures > LOAD_RETRIES) return null;
  const pause = LOAD_RETRY_PAUSE_MS * LOAD_RETRY_FACTOR ** (failures - 1);
  const own = pause * (1 + LOAD_RETRY_SPREAD * (2 * chance - 1));
  return Math.max(own, Math.min(retryAfterMs ?? 0, RETRY_AFTER_UP_TO_MS));
}

/** URL of the page data of a path: `/` is `index`, `/index` is `_index`, and no path has a slash at its end. */
export function pageDataUrl(path: string): string {
  const name = path.replace(/^\/+|\/+$/g, '').replace(/^index$/, '_$&');
  return `/page-data/${name || 'index'}/page-data.json`;
}

/** Whether a path is a page's and not a file's or the server's own. */
export function isPagePath(path: string): boolean {
  return !/^\/(?:api|media|assets|page-data|__[^/]*)(?:\/|$)|\.[a-z0-9]+$/i.test(path) || path.endsWith('.html');
}
