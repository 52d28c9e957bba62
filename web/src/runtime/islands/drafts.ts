/** Wakes the forms with a draft, so that the visitor's input is restored. */
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
