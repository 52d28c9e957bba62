const SIGNS = ['pointerover', 'pointermove', 'pointerdown', 'touchstart', 'focusin'];

/** Resolves when a pointer, a finger or the focus comes to an element: what only then is of use is fetched only then. */
export function touched(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const once = new AbortController();
    const touch = () => {
      once.abort();
      resolve();
    };
    for (const type of SIGNS)
      element.addEventListener(type, touch, { capture: true, passive: true, signal: once.signal });
  });
}
