/** Hands an island over to React. Fetched together with the first island that wakes. */
import { Component, createElement, type FunctionComponent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { IslandData } from '../../contract/types.ts';
import { trusted } from '../../lib/trusted.ts';
import { allowMovedNodes, isTranslated, rememberPlaces } from './moved-nodes.ts';
import { takeTyped } from './typed.ts';

/** Props come out of the page, where the worker put them for this very component. */
// biome-ignore lint/suspicious/noExplicitAny: each island has its own props
export type IslandComponent = FunctionComponent<any>;

export interface RunningIsland {
  end(): void;
  /** The element that now stands where one of the static HTML stood; null if there is none. */
  find(old: Element): Element | null;
}

/** Between two looks at a press. */
const PRESS_MS = 20;

allowMovedNodes();

/** React answers from here on. If the island breaks, its static HTML comes back. */
export async function hydrateIsland(
  container: Element,
  component: IslandComponent,
  { id, props }: IslandData,
): Promise<RunningIsland> {
  // A translated island is drawn again. If its element were replaced during a press, the browser would send no click.
  while (isTranslated(container) && container.querySelector(':active'))
    await new Promise((resolve) => setTimeout(resolve, PRESS_MS));
  const giveBack = takeTyped(container);
  const fallback = container.innerHTML;
  const find = rememberPlaces(container);
  const focused = container.contains(document.activeElement) ? document.activeElement : null;
  const onBroken = (error: unknown) => {
    console.error(`The part "${id}" broke and is static again.`, error);
    queueMicrotask(() => {
      root.unmount();
      container.innerHTML = trusted.createHTML(fallback);
    });
  };
  const island = createElement(Guarded, { onBroken }, createElement(component, props));
  // The prefix of `useId`, the same as in the rendered HTML.
  const options = { identifierPrefix: id };
  // At once, because the waking event is about to be replayed.
  const root = flushSync(() => {
    if (!isTranslated(container)) return hydrateRoot(container, island, options);
    const drawn = createRoot(container, options);
    drawn.render(island);
    return drawn;
  });
  if (focused && !focused.isConnected) {
    const now = find(focused);
    if (now instanceof HTMLElement) now.focus({ preventScroll: true });
  }
  giveBack(find);
  container.setAttribute('data-awake', '');
  return { end: () => root.unmount(), find };
}

interface GuardedProps {
  onBroken: (error: unknown) => void;
  children?: ReactNode;
}

/** An error boundary instead of an option of React's `hydrateRoot`, which Preact lacks. */
class Guarded extends Component<GuardedProps> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onBroken(error);
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}
