/**
 * Scripts of third parties in a worker, by Partytown: they have no thread, no policy and no address of the page's. Fetched where a
 * site has such a script (docs/decisions/0015).
 */
import { PARTYTOWN_FOLDER } from '../../constants.ts';
import type { DeferredScript } from '../../contract/types.ts';

declare global {
  interface Window {
    partytown?: object;
  }
}

/** Where workers cannot ask the page, in browsers without service workers, the script does not run at all. */
export function runOffMainThread({ name, src }: Pick<DeferredScript, 'name' | 'src'>): void {
  if (!('serviceWorker' in navigator)) return;
  const script = document.createElement('script');
  script.type = 'text/partytown';
  script.src = src;
  script.dataset['deferred'] = name;
  document.head.append(script);
  if (window.partytown) {
    dispatchEvent(new CustomEvent('ptupdate'));
    return;
  }
  window.partytown = {
    lib: PARTYTOWN_FOLDER,
    debug: true,
    swPath: 'service-worker.js',
    // A script that does not get to run in time would run in the page, which the page's policy does not allow anyway.
    fallbackTimeout: 0,
    forward: [['dataLayer.push', { preserveBehavior: true }]],
    resolveUrl: throughProxy,
  };
  const loader = document.createElement('script');
  loader.src = `${PARTYTOWN_FOLDER}partytown.js`;
  document.head.append(loader);
}

/**
 * Other hosts' scripts come from the page's own origin. What they send goes where the worker's policy lets it. Partytown hands the
 * text of this function to the worker, so nothing from outside may stand in it.
 */
export function throughProxy(url: URL, page: URL | Location, type: string): URL {
  return type === 'script' && url.origin !== page.origin
    ? new URL(`/__third-party-proxy?url=${encodeURIComponent(url.href)}`, page.origin)
    : url;
}
