/** Runs the scripts of the page in the document, and ends them for the next page. */
import { type IslandLoaders, type PageIslands, startIslands } from '../islands/islands.ts';
import { isTyping } from '../islands/typing.ts';
import { whenUsedOrLoaded } from '../loaded.ts';
import { type AwaitedPart, startParts } from './parts.ts';

export interface RunningPage {
  /** The main part is another page's by now. */
  renew(page: PageIslands): void;
  /** Prepares an island before the visitor touches it. */
  wake(island: Element): void;
}

/** Files of the page may be gone from the server: its document names the present ones (spec §8). */
function loadDocument(): void {
  if (!isTyping()) location.reload();
}

export function startPage(islandLoaders: IslandLoaders, parts: readonly AwaitedPart[]): RunningPage {
  let left = new AbortController();
  const islands = startIslands(islandLoaders);
  whenUsedOrLoaded(() => startParts(parts, document, left.signal));
  return {
    wake: islands.wake,
    renew(page) {
      left.abort();
      left = new AbortController();
      islands.renew(page);
      const main = document.querySelector('main');
      if (main) startParts(parts, main, left.signal, loadDocument);
    },
  };
}
