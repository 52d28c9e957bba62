/** Registers the service worker after load, and sends it the visited pages (spec §9). Pages never need it. */
import { isSparing } from '../lib/connection.ts';
import { watchRoute } from '../lib/route-change.ts';
import { trusted } from '../lib/trusted.ts';

export async function startServiceWorker(): Promise<void> {
  try {
    // Browsers offer it on https and on localhost alone.
    const registration = await navigator.serviceWorker?.register(trusted.createScriptURL('/sw.js'), {
      updateViaCache: 'none',
    });
    // The worker sees documents by itself, and cannot know which of the pages that came as data were looked at.
    watchRoute(({ path }) => isSparing() || registration?.active?.postMessage({ type: 'keep-page', path }));
  } catch (error) {
    console.warn('Nothing is kept for when there is no network: no service worker.', error);
  }
}
