/** Decides which navigations the page runtime handles. Pure; the values are those of the Navigation API. */
import { isPagePath } from './page-loading.ts';

export interface NavigationDetails {
  canIntercept: boolean;
  /** The same document: a hash, or an entry of the history made by a script. */
  sameDocument: boolean;
  type: 'push' | 'replace' | 'traverse' | 'reload';
  /** A download, or a form that is posted. */
  carriesMore: boolean;
  origin: string;
  from: { origin: string; pathname: string };
  pathname: string;
}

/**
 * Whether to show the page in place. The browser handles everything else: other sites, files, forms, reloads, and
 * changes of the address by the page's own scripts. Going back or forward within this document is ours if it shows
 * another page.
 */
export function isPageChange({ canIntercept, sameDocument, type, carriesMore, ...to }: NavigationDetails): boolean {
  if (!canIntercept || carriesMore || type === 'reload' || to.origin !== to.from.origin) return false;
  if (!isPagePath(to.pathname)) return false;
  if (type === 'traverse') return sameDocument && to.pathname !== to.from.pathname;
  return !sameDocument;
}
