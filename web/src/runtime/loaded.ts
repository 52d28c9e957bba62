import { ownTask } from './own-task.ts';

const SIGNS_OF_USE = ['pointerdown', 'pointermove', 'click', 'keydown', 'focusin', 'scroll'];

/** Runs once the page stands, or with the first sign of somebody who does not wait for that. */
export function whenUsedOrLoaded(run: () => void): void {
  const begun = new AbortController();
  const begin = () => {
    if (begun.signal.aborted) return;
    begun.abort();
    run();
  };
  const beginIfUsed = (event: Event) => isSign(event) && begin();
  for (const type of SIGNS_OF_USE)
    addEventListener(type, beginIfUsed, { capture: true, passive: true, signal: begun.signal });
  whenLoaded(begin);
}

/** Browsers say of a pointer that rests where the page appears that it moved, by nothing. */
function isSign(event: Event): boolean {
  const { movementX, movementY } = event as PointerEvent;
  return event.type !== 'pointermove' || movementX !== 0 || movementY !== 0;
}

/** Runs once the page and all its pictures are there: at once where they are, else each in a task of its own. */
export function whenLoaded(run: () => void): void {
  if (document.readyState === 'complete') run();
  else addEventListener('load', () => void ownTask().then(run), { once: true });
}
