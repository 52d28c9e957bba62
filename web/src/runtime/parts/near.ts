import { NEAR_PX } from '../../constants.ts';

/** Resolves when an element is about to be seen: as far away as `px`. What stands in a closed panel is not, before somebody opens it. */
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
