/**
 * Makes islands compatible with browser translation. A translator replaces text nodes with elements, `<font>` in Chrome: published
 * HTML then differs from React's expectation, and later React looks for nodes that have left the page.
 */
const ISLAND = '[data-island]';

/** Return whether a translator has changed the HTML. */
export function isTranslated(container: Element): boolean {
  return container.querySelector('font') !== null;
}

/**
 * Lets React remove, and insert before, nodes of islands that something else has taken out of the page. The browser throws
 * there, and the island would break. Elsewhere in the page it still throws.
 */
export function allowMovedNodes({ prototype } = Node): void {
  const { removeChild, insertBefore } = prototype;
  const isMoved = (node: Node, parent: Node) =>
    node.parentNode !== parent && parent instanceof Element && parent.closest(ISLAND) !== null;
  prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    return isMoved(child, this) ? child : (removeChild.call(this, child) as T);
  };
  prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    return insertBefore.call(this, node, before && isMoved(before, this) ? null : before) as T;
  };
}

/**
 * Call it before an island is drawn again. Returns a function that finds the new element for an old one: by its id, or by its
 * place below the nearest element with an id.
 */
export function rememberPlaces(container: Element): (old: Element) => Element | null {
  const tops = childrenOf(container);
  return function find(old): Element | null {
    if (old.isConnected) return old;
    const element = old.closest(':not(font)');
    if (!element) return null;
    if (element.id) return document.getElementById(element.id);
    const parent = element.parentElement?.closest(':not(font)');
    const place = (parent ? childrenOf(parent) : tops).indexOf(element);
    const now = parent ? find(parent) : container;
    const found = now && childrenOf(now)[place];
    return found?.tagName === element.tagName ? found : null;
  };
}

function childrenOf(element: Element): Element[] {
  return [...element.children].filter(({ tagName }) => tagName !== 'FONT');
}
