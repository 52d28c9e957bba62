import { NEAR_PX } from '../../constants.ts';

/** Resolves when an element is within `px` of the visible area. An element in a closed panel counts once the panel is open. */
export function near(element: Element, px: number = NEAR_PX): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: `${px}px` },
    );
    observer.observe(element);
  });
}
