/**
 * Runs third-party scripts in a worker, by Partytown: they do not share the page's thread, policy and address. Fetched only if a
 * site has such a script (docs/decisions/0015).
 */
import { PARTYTOWN_FOLDER } from '../../constants.ts';
import type { DeferredScript } from '../../contract/types.ts';

declare global {
  interface Window {
    partytown?: object;
  }
}

/** Workers need a service worker to read the page. In browsers without one, the script is left out. */
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
    // A script that starts too late would run in the page, which the page's policy refuses anyway.
    fallbackTimeout: 0,
    forward: [['dataLayer.push', { preserveBehavior: true }]],
    resolveUrl: throughProxy,
  };
  const loader = document.createElement('script');
  loader.src = `${PARTYTOWN_FOLDER}partytown.js`;
  document.head.append(loader);
}

/**
 * Loads other hosts' scripts from the page's own origin. The worker's policy restricts their requests. Partytown passes the text
 * of this function to the worker, so it must not use outer variables.
 */
export function throughProxy(url: URL, page: URL | Location, type: string): URL {
  return type === 'script' && url.origin !== page.origin
    ? new URL(`/__third-party-proxy?url=${encodeURIComponent(url.href)}`, page.origin)
    : url;
}
