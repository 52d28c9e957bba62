/**
 * Loads pages as data (spec §4 Page loading, §8). There are five possible results; `domain/page-loading.ts` decides between
 * them.
 */
import { LOADED_PAGE_KEPT_MS, LOADED_PAGES_KEPT } from '../../constants.ts';
import type { PageData } from '../../contract/types.ts';
import { type Answer, isPageData, judgePage, pageDataUrl } from '../../domain/page-loading.ts';
import { requestJson, requestUntil } from '../../lib/request-json.ts';
import { isTyping } from '../islands/typing.ts';

export type Loaded =
  /** Shown in place of the present page: the requested page, or the site's page for errors. */
  | { kind: 'page' | 'not-found' | 'server-error'; page: PageData }
  /** The browser has to load the document itself. */
  | { kind: 'document' }
  /** All tries failed. */
  | { kind: 'failed' };

const NOT_FOUND_PAGE = '/404.html';
const FAILED_PAGE = '/500.html';

interface Kept {
  loaded: Promise<Loaded>;
  until: number;
}

const kept = new Map<string, Kept>();

/**
 * Whether this browser can show pages in place of each other. It has to wait with the new address until the page is there:
 * else the address changes over the old page, and stays if the page cannot be loaded.
 */
export function canShowInPlace(): boolean {
  return ['navigation', 'NavigationPrecommitController'].every((name) => name in window);
}

/** Loads the content of a path on this site. Simultaneous calls share a request, and pages are cached for a while. */
export function loadPage(path: string): Promise<Loaded> {
  const known = kept.get(path);
  if (known && known.until > Date.now()) {
    keep(path, known);
    return known.loaded;
  }
  const loaded = load(path);
  keep(path, { loaded, until: Number.POSITIVE_INFINITY });
  loaded.then(({ kind }) => {
    if (kind === 'page') keep(path, { loaded, until: Date.now() + LOADED_PAGE_KEPT_MS });
    else kept.delete(path);
  });
  return loaded;
}

/** The page that was used longest ago stands first, and goes when there are too many. */
function keep(path: string, page: Kept): void {
  kept.delete(path);
  kept.set(path, page);
  for (const [oldest] of kept) if (kept.size > LOADED_PAGES_KEPT) kept.delete(oldest);
}

/** Whether `loadPage` would answer without asking. */
export function isLoaded(path: string): boolean {
  const known = kept.get(path);
  return known !== undefined && known.until > Date.now();
}

/** Loads a page ahead of a possible click. One try, because the visitor has not requested it. */
export async function prefetchPage(path: string): Promise<void> {
  if (isLoaded(path)) return;
  const answer = await requestJson(pageDataUrl(path));
  if (judgePage(answer) !== 'found' || !isPageData(answer.body) || isLoaded(path)) return;
  const loaded = Promise.resolve(accept(answer.body));
  keep(path, { loaded, until: Date.now() + LOADED_PAGE_KEPT_MS });
}

async function load(path: string): Promise<Loaded> {
  const answer = await requestUntil(pageDataUrl(path), (each) => judgePage(each) !== 'again');
  switch (judgePage(answer)) {
    case 'found':
      return accept(answer.body as PageData);
    case 'not-found':
      return loadInPlace(path);
    case 'server-error': {
      const page = await loadErrorPage(FAILED_PAGE);
      return page ? { kind: 'server-error', page } : { kind: 'failed' };
    }
    default:
      return { kind: isHeldUp(answer) ? 'document' : 'failed' };
  }
}

/**
 * Nothing answers although the device is online: a blocker may cancel requests of scripts and let documents through. A visitor
 * who has begun to type keeps the page.
 */
function isHeldUp({ status }: Answer): boolean {
  return status === 0 && navigator.onLine && !isTyping();
}

/** A path without page data may still have a document: a redirect, or a page that came a moment ago. */
async function loadInPlace(path: string): Promise<Loaded> {
  const [page, hasDocument] = await Promise.all([loadErrorPage(NOT_FOUND_PAGE), isDocument(path)]);
  return page && !hasDocument ? { kind: 'not-found', page } : { kind: 'document' };
}

/** One try, so that a server on which everything fails is not asked for ever. */
async function loadErrorPage(path: string): Promise<PageData | null> {
  const { body } = await requestJson(pageDataUrl(path));
  return isPageData(body) && isOfThisDocument(body) ? body : null;
}

async function isDocument(path: string): Promise<boolean> {
  if (path.startsWith('//')) return false; // another host, to the browser
  try {
    return (await fetch(path, { method: 'HEAD' })).ok;
  } catch {
    return false;
  }
}

function accept(page: PageData): Loaded {
  return isOfThisDocument(page) ? { kind: 'page', page } : { kind: 'document' };
}

/** Styles, scripts and the frame of the document fit a page only where both were made with the same. */
function isOfThisDocument({ build, shared }: PageData): boolean {
  const { dataset } = document.documentElement;
  return build === dataset['build'] && shared === dataset['shared'];
}
