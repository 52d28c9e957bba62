/** Hands an island over to React. Fetched together with the first island that wakes. */
import { Component, createElement, type FunctionComponent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import type { IslandData } from '../../contract/types.ts';
import { trusted } from '../../lib/trusted.ts';
import { takeTyped } from './typed.ts';

/** Props come out of the page, where the worker put them for this very component. */
// biome-ignore lint/suspicious/noExplicitAny: each island has its own props
export type IslandComponent = FunctionComponent<any>;

/** React answers from here on; if the island breaks, its static HTML comes back. Gives back how to end it. */
export function hydrateIsland(container: Element, component: IslandComponent, { id, props }: IslandData): () => void {
  const giveBack = takeTyped(container);
  const fallback = container.innerHTML;
  const onBroken = (error: unknown) => {
    console.error(`The part "${id}" broke and is static again.`, error);
    queueMicrotask(() => {
      root.unmount();
      container.innerHTML = trusted.createHTML(fallback);
    });
  };
  // At once: whoever woke the island is about to replay a click.
  const root = flushSync(() =>
    hydrateRoot(container, createElement(Guarded, { onBroken }, createElement(component, props))),
  );
  giveBack();
  container.setAttribute('data-awake', '');
  return () => root.unmount();
}

interface GuardedProps {
  onBroken: (error: unknown) => void;
  children?: ReactNode;
}

/** Not by what `hydrateRoot` of React could be told: Preact knows of no such option. */
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
