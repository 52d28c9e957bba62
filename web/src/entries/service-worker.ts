/**
 * The service worker of a site, `/sw.js`: pages that a visitor has seen are available without a network, and with one
 * they are always current. Which request goes which way is decided in `domain/offline.ts`.
 *
 * It does not take over open pages: the first worker starts with the next document, a newer one when all tabs are
 * closed.
 */

import type { WorkboxPlugin } from 'workbox-core/types.js';
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, Strategy, type StrategyHandler } from 'workbox-strategies';
import {
  KEPT_ASSETS,
  KEPT_FOR_S,
  KEPT_PAGE_DATA,
  KEPT_PAGES,
  KEPT_PICTURES,
  NETWORK_FIRST_LIMIT_MS,
  OFFLINE_PAGE_URL,
} from '../constants.ts';
import { chooseKeeping, chooseWay, findAssets, pageOfData, type Way } from '../domain/offline.ts';
import { isPagePath } from '../domain/page-loading.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Digest of the site's offline page, empty where it has none: the publisher writes it in front of this script. */
  OFFLINE_PAGE: string;
};

const ASSETS = 'assets';
const PAGES = 'pages';
const PAGE_DATA = 'page-data';
const PICTURES = 'pictures';
const OFFLINE = `offline-${self.OFFLINE_PAGE}`;

/**
 * Answer from the network, or from the cache after a time limit.
 *
 * A reply that comes after the limit still replaces the copy, so a visitor on a slow line sees an old page once at most.
 */
class NetworkFirst extends Strategy {
  override async _handle(request: Request, handler: StrategyHandler): Promise<Response> {
    const network = handler.fetchAndCachePut(request);
    const reply = network.catch(() => undefined);
    void handler.waitUntil(reply); // without this, the browser cancels the request once the page has its answer
    const limit = new Promise<undefined>((resolve) => setTimeout(resolve, NETWORK_FIRST_LIMIT_MS));
    return (await Promise.race([reply, limit])) ?? (await handler.cacheMatch(request)) ?? network;
  }
}

const assets = new CacheFirst({
  cacheName: ASSETS,
  plugins: [keepAtMost(KEPT_ASSETS), { handlerDidError: ({ request }) => readOffline(request.url) }],
});
const pictures = new CacheFirst({ cacheName: PICTURES, plugins: [keepAtMost(KEPT_PICTURES)] });
const pageData = networkFirst(PAGE_DATA, KEPT_PAGE_DATA, {
  handlerDidError: ({ request }) => referToDocument(new URL(request.url)),
});
const pages = networkFirst(PAGES, KEPT_PAGES, { handlerDidError: () => readOffline(OFFLINE_PAGE_URL) });

route('asset', assets);
route('picture', pictures);
route('pageData', pageData);
route('page', pages);

self.addEventListener('install', (event) => event.waitUntil(Promise.all([keepOfflinePage(), keepOpenPages(event)])));

self.addEventListener('activate', (event) =>
  // The network is asked for a page while the worker starts.
  event.waitUntil(Promise.all([dropOldCaches(), self.registration.navigationPreload?.enable()])),
);

self.addEventListener('message', (event) => {
  const { type, path } = event.data ?? {};
  if (type === 'forget-pages') event.waitUntil(Promise.all([PAGES, PAGE_DATA].map((name) => caches.delete(name))));
  if (type === 'keep-page') event.waitUntil(keepPage(String(path), event));
});

function route(way: Way, strategy: Strategy): void {
  registerRoute(({ request, url, sameOrigin }) => {
    const { method, mode, destination, headers } = request;
    const { pathname } = url;
    return chooseWay({ method, mode, destination, sameOrigin, pathname, hasRange: headers.has('range') }) === way;
  }, strategy);
}

/** Query strings are for scripts: a page and its data are the same under all of them. */
function networkFirst(cacheName: string, maxEntries: number, more: WorkboxPlugin): NetworkFirst {
  return new NetworkFirst({
    cacheName,
    plugins: [
      {
        cacheKeyWillBeUsed: async ({ request }) => withoutQuery(request.url),
        async cacheWillUpdate({ request, response }) {
          const keeping = chooseKeeping(response);
          if (keeping === 'forget') await (await caches.open(cacheName)).delete(withoutQuery(request.url));
          return keeping === 'keep' ? response : null;
        },
      },
      keepAtMost(maxEntries),
      more,
    ],
  });
}

function keepAtMost(maxEntries: number): ExpirationPlugin {
  return new ExpirationPlugin({ maxEntries, maxAgeSeconds: KEPT_FOR_S, purgeOnQuotaError: true });
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** With all it is shown with, so that it stands on its own. */
async function keepOfflinePage(): Promise<void> {
  if (!self.OFFLINE_PAGE) return;
  const page = await fetch(OFFLINE_PAGE_URL, { cache: 'reload' });
  if (!page.ok) throw new Error(`${OFFLINE_PAGE_URL} answered ${page.status}; the next page load tries again.`);
  const cache = await caches.open(OFFLINE);
  await cache.addAll(findAssets(await page.clone().text()));
  await cache.put(OFFLINE_PAGE_URL, page);
}

function readOffline(url: string): Promise<Response | undefined> {
  return caches.match(url, { cacheName: OFFLINE });
}

/** Page data of no build: the page runtime loads the document, which is kept. */
async function referToDocument({ pathname }: URL): Promise<Response | undefined> {
  const path = pageOfData(pathname);
  const document = await caches.match(path, { cacheName: PAGES });
  return document && Response.json({ path, html: '', build: '' });
}

/** Those that were there before the worker. */
async function keepOpenPages(event: ExtendableEvent): Promise<void> {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  await Promise.all(open.map(({ url }) => keepPage(url, event)));
}

/** Stores the document of a page that was loaded as data, so that it opens offline too. */
async function keepPage(address: string, event: ExtendableEvent): Promise<void> {
  const { origin, pathname } = new URL(address, location.origin);
  if (origin !== location.origin || !isPagePath(pathname)) return;
  await Promise.allSettled(pages.handleAll({ request: new Request(pathname, { priority: 'low' }), event }));
}

async function dropOldCaches(): Promise<void> {
  const current = [ASSETS, PAGES, PAGE_DATA, PICTURES, OFFLINE];
  const old = (await caches.keys()).filter((name) => !current.includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}
