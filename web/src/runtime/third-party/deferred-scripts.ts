/**
 * When the site's deferred scripts are loaded: at the first scroll or the first change of page, once a document (spec §4). A
 * session in which that has happened gets them after load.
 */
import type { DeferredScript } from '../../contract/types.ts';
import { watchRoute } from '../../lib/route-change.ts';
import { readSession, writeSession } from '../../lib/storage.ts';

const LOADED_BEFORE = 'loadedScriptsOnScroll';

/** To be called after load. */
export function startDeferredScripts(scripts: DeferredScript[]): void {
  if (scripts.length === 0) return;
  const begun = new AbortController();
  const begin = async () => {
    if (begun.signal.aborted) return;
    begun.abort();
    writeSession(LOADED_BEFORE, 'true');
    try {
      (await import('./load-scripts.ts')).loadScripts(scripts);
    } catch (error) {
      console.error('The deferred scripts of this page are not loaded.', error);
    }
  };
  // Earlier scrolling counts too.
  if (readSession(LOADED_BEFORE) !== null || scrollY > 0) begin();
  else {
    addEventListener('scroll', begin, { passive: true, signal: begun.signal });
    watchRoute(begin);
  }
}
