/** Decides which navigations the page runtime handles. Pure; the values are those of the Navigation API. */
import { isPagePath } from './page-loading.ts';

export interface NavigationDetails {
  canIntercept: boolean;
  /** True for a hash, or for a history entry made by a script or by showing a page in place. */
  sameDocument: boolean;
  /** The entry belongs to the page as it is shown now: its hashes, and the addresses that its scripts have set. */
  sameView: boolean;
  type: 'push' | 'replace' | 'traverse' | 'reload';
  /** A download, or a form that is posted. */
  carriesMore: boolean;
  origin: string;
  from: string;
  pathname: string;
}

/**
 * Returns whether to show the page in place. The browser handles everything else: other sites, files, forms, reloads, and
 * changes of the address by the page's own scripts. Going back or forward within this document is ours if the target is
 * another page, or an earlier view of the same page.
 */
export function isPageChange({ canIntercept, type, carriesMore, ...to }: NavigationDetails): boolean {
  if (!canIntercept || carriesMore || type === 'reload' || to.origin !== to.from) return false;
  if (!isPagePath(to.pathname)) return false;
  return type === 'traverse' ? to.sameDocument && !to.sameView : !to.sameView;
}
