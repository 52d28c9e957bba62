/** How the service worker answers a request, and which files its offline page needs (spec §9; decisions: Page runtime). Pure. */
import { isPagePath } from './page-loading.ts';

export interface WorkerRequest {
  method: string;
  /** `navigate` where the browser loads a document. */
  mode: string;
  /** `document` for a page of its own, `iframe` for one in another; `image` where a picture is to be shown. */
  destination: string;
  sameOrigin: boolean;
  pathname: string;
  /** Asks for a part of a file. */
  hasRange: boolean;
}

/**
 * | way      | answered                                                                          |
 * |----------|-----------------------------------------------------------------------------------|
 * | asset    | from the cache, else from the network: a name says what is in the file             |
 * | picture  | the same: a name is never used for another picture                                |
 * | page     | from the network; where it fails or takes long, from the cache; else the offline page |
 * | pageData | the same; where only the page's document is kept, the runtime is told to load that |
 * | network  | as if there were no service worker                                                |
 *
 * `app-data.json` is one of the last: only the network knows which build is live.
 */
export type Way = 'asset' | 'picture' | 'page' | 'pageData' | 'network';

export function chooseWay(request: WorkerRequest): Way {
  const { method, mode, destination, sameOrigin, pathname, hasRange } = request;
  if (method !== 'GET' || !sameOrigin || hasRange) return 'network';
  if (mode === 'navigate') return destination === 'document' && isPagePath(pathname) ? 'page' : 'network';
  if (/^\/(assets|page-data\/sq\/d)\//.test(pathname)) return 'asset';
  if (/^\/page-data\/.+\/page-data\.json$/.test(pathname)) return 'pageData';
  return pathname.startsWith('/media/') && destination === 'image' ? 'picture' : 'network';
}

/**
 * What becomes of an answer from the network: kept; or the copy of an earlier one goes as well, because nothing is there
 * any more or because it has moved; or neither.
 */
export function chooseKeeping({ status, type, redirected, headers }: Response): 'keep' | 'forget' | 'leave' {
  if (status === 404 || status === 410 || redirected || type === 'opaqueredirect') return 'forget';
  if (status !== 200) return 'leave';
  return headers.get('cache-control')?.includes('no-store') ? 'forget' : 'keep';
}

/** The path of the page whose data is at `pathname`. */
export function pageOfData(pathname: string): string {
  const name = pathname.replace(/^\/page-data\/|\/page-data\.json$/g, '');
  if (name === 'index') return '/';
  return name === '_index' ? '/index' : `/${name}`;
}

/** Styles, scripts and fonts that a page names. */
export function findAssets(html: string): string[] {
  return [
    ...new Set([...html.matchAll(/\s(?:href|src|data-loader)="(\/assets\/[^"?#]+)"/g)].map(([, url = '']) => url)),
  ];
}
