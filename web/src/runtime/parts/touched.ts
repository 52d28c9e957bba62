const SIGNS = ['pointerover', 'focusin', 'click'];

/** Resolves when a pointer, a finger or the focus is on an element, for code that is needed only then. */
export function touched(element: Element): Promise<void> {
  return new Promise((resolve) => {
    if (element.matches(':hover,:focus-within')) resolve();
    for (const type of SIGNS)
      element.addEventListener(type, () => resolve(), { capture: true, passive: true, once: true });
  });
}
