/** Wakes the forms somebody has begun to fill in, so that what they wrote stands there again. */
import { watchRoute } from '../../lib/route-change.ts';
import { readSession } from '../../lib/storage.ts';
import type { RunningPage } from '../parts/page.ts';

/** To be called after load. */
export function startDrafts({ wake }: Pick<RunningPage, 'wake'>): void {
  const wakeBegun = () => {
    for (const island of document.querySelectorAll<HTMLElement>('[data-draft]'))
      if (readSession(island.dataset['draft'] ?? '') !== null) wake(island);
  };
  wakeBegun();
  watchRoute(wakeBegun);
}
