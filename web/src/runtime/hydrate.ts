/** Hands an island over to React. Fetched together with the first island that wakes. */
import { createElement, type FunctionComponent } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import type { IslandData } from '../contract/types.ts';
import { islandPrefix } from './island-prefix.ts';
import { takeTyped } from './typed.ts';

/** Props come out of the page, where the worker put them for this very component. */
// biome-ignore lint/suspicious/noExplicitAny: each island has its own props
export type IslandComponent = FunctionComponent<any>;

/** React answers from here on; if the island breaks, its static HTML comes back. Gives back how to end it. */
export function hydrateIsland(container: Element, component: IslandComponent, { id, props }: IslandData): () => void {
  const giveBack = takeTyped(container);
  const fallback = container.innerHTML;
  // At once: whoever woke the island is about to replay a click.
  const root = flushSync(() => {
    const root = hydrateRoot(container, createElement(component, props), {
      identifierPrefix: islandPrefix(id),
      onUncaughtError(error) {
        console.error(`The part "${id}" broke and is static again.`, error);
        queueMicrotask(() => {
          root.unmount();
          container.innerHTML = fallback;
        });
      },
    });
    return root;
  });
  giveBack();
  container.setAttribute('data-awake', '');
  return () => root.unmount();
}
