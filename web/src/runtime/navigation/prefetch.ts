/**
 * Loads pages ahead (spec §9): those whose links are in sight, four at a time; at once the one whose link is pointed at,
 * focused or touched.
 */
import { PREFETCH_BATCH_PAUSE_MS, PREFETCH_LIMIT_MS } from '../../constants.ts';
import { isPagePath } from '../../domain/page-loading.ts';
import { isRobot, nextBatch } from '../../domain/prefetch.ts';
import { isSparing } from '../../lib/connection.ts';
import { watchRoute } from '../../lib/route-change.ts';
import { isBuildOutdated } from './build-check.ts';
import { canShowInPlace, isLoaded, loadPage, prefetchPage } from './page-loader.ts';

const SIGNS_OF_INTEREST = ['pointerover', 'focusin', 'touchstart'];

export function startPrefetch(): void {
  // A browser that loads documents has no use for page data.
  if (!canShowInPlace() || isSparing() || isRobot(navigator.userAgent)) return;
  let isUnderWay = false;
  const inSight = new Map<Element, string>();
  const started = new Set<string>();
  const batch = () => nextBatch(inSight.values(), started);
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const path = pagePath(target);
      inSight.delete(target);
      if (isIntersecting && path !== null && !isLoaded(path)) inSight.set(target, path);
    }
    void run();
  });

  /** Batch after batch, as long as there is something to load. */
  async function run(): Promise<void> {
    if (isUnderWay) return;
    isUnderWay = true;
    while (batch().length > 0) {
      await new Promise((resolve) => setTimeout(resolve, PREFETCH_BATCH_PAUSE_MS));
      await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
      const paths = batch();
      for (const path of paths) started.add(path);
      // With a new build, pages are loaded as documents.
      if (!isBuildOutdated()) await Promise.allSettled(paths.map((path) => withinLimit(prefetchPage(path))));
    }
    isUnderWay = false;
  }

  function observeLinks(): void {
    observer.disconnect();
    inSight.clear();
    for (const link of document.querySelectorAll('a[href]')) if (pagePath(link) !== null) observer.observe(link);
  }

  observeLinks();
  watchRoute(observeLinks);
  for (const type of SIGNS_OF_INTEREST) addEventListener(type, loadWanted, { capture: true, passive: true });
}

async function loadWanted({ target }: Event): Promise<void> {
  const link = target instanceof Element && target.closest('a[href]');
  const path = link ? pagePath(link) : null;
  if (path === null || isBuildOutdated()) return;
  await loadPage(path);
}

/** Returns the path of a link's page, if that is another page of this site and opens in place. */
function pagePath(link: Element): string | null {
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return null;
  const { origin, pathname } = link;
  return origin === location.origin && pathname !== location.pathname && isPagePath(pathname) ? pathname : null;
}

function withinLimit(loading: Promise<void>): Promise<void> {
  return Promise.race([loading, new Promise<void>((resolve) => setTimeout(resolve, PREFETCH_LIMIT_MS))]);
}
