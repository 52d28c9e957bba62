/** Tells the parts of a page that another page has come in its place, without a load of a document. */

export interface Route {
  path: string;
  /** The document's title. */
  title: string;
}

const CHANGED = 'route-change';

/** Calls `listener` after each change of page that is no load of a document. Returns how to stop that. */
export function watchRoute(listener: (route: Route) => void): () => void {
  const tell = (event: Event) => listener((event as CustomEvent<Route>).detail);
  document.addEventListener(CHANGED, tell);
  return () => document.removeEventListener(CHANGED, tell);
}

/** Calls all listeners. */
export function announceRoute(route: Route): void {
  document.dispatchEvent(new CustomEvent<Route>(CHANGED, { detail: route }));
}
