/**
 * `/sw.js` while the registry's `service_worker` is off: replaces the service worker at once, removes its caches and
 * then itself. It answers no request, so open pages go on with the network.
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
