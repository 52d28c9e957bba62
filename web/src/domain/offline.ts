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
 * | asset    | from the cache, else from the network: the name has a hash of the content         |
 * | picture  | the same: a name is never used for another image                                  |
 * | page     | from the network; if it fails or is slow, from the cache; else the offline page   |
 * | pageData | the same; if only the page's document is cached, the runtime loads that           |
 * | network  | as without a service worker                                                       |
 *
 * `app-data.json` always comes from the network, because only the network has the live build.
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
 * Decides about an answer from the network. It is stored, or the earlier copy is deleted because the page is gone or has moved,
 * or the cache stays as it is.
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
