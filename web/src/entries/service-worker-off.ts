/**
 * What `/sw.js` is while the registry's `service_worker` is off: takes the place of the service worker at once, removes what
 * it kept, and itself. It answers no request, so pages that are open go on with the network as if nothing had been.
 */
declare const self: ServiceWorkerGlobalScope;

/** Where the service worker's library notes how old things are. */
const EXPIRY_DATABASE = 'workbox-expiration';

self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(leave()));

async function leave(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
  indexedDB.deleteDatabase(EXPIRY_DATABASE);
  await self.registration.unregister();
}
