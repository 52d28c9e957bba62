/**
 * Wakes what is marked `data-lazy` before anybody touches it: a while after load, or when it is about to be seen (spec §9).
 * Its code is there by then, or on its way; whoever saves data gets it when they touch the page, as with everything else.
 */
import { LAZY_AFTER_LOAD_MS, LAZY_WITHIN_PX } from '../../constants.ts';
import { isSparing } from '../../lib/connection.ts';
import { watchRoute } from '../../lib/route-change.ts';
import type { RunningPage } from '../parts/page.ts';

/** To be called after load. */
export function startLazy({ wake }: Pick<RunningPage, 'wake'>): void {
  if (isSparing()) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) wake(target);
    },
    { rootMargin: `${LAZY_WITHIN_PX}px` },
  );
  const watchPage = () => {
    clearTimeout(timer);
    observer.disconnect();
    const parts = document.querySelectorAll('[data-lazy]');
    for (const part of parts) observer.observe(part);
    if (parts.length > 0) timer = setTimeout(() => parts.forEach(wake), LAZY_AFTER_LOAD_MS);
  };
  watchPage();
  watchRoute(watchPage);
}
