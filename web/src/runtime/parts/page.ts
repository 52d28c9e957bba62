/** What runs in the page that stands in the document, and how it gives way to another one. */
import { type IslandLoaders, type PageIslands, startIslands } from '../islands/islands.ts';
import { isTyping } from '../islands/typing.ts';
import { whenUsedOrLoaded } from '../loaded.ts';
import { type AwaitedPart, startParts } from './parts.ts';

export interface RunningPage {
  /** The main part is another page's by now. */
  renew(page: PageIslands): void;
  /** Nobody has touched the island yet, and it is to be ready when somebody does. */
  wake(island: Element): void;
}

/** What the page came with may be gone from the server: its document brings what there is now (spec §8). */
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
