import { ownTask } from './own-task.ts';

const SIGNS_OF_USE = ['pointerdown', 'pointermove', 'click', 'keydown', 'focusin', 'scroll'];

/** Runs once, with the first sign of the visitor. */
export function whenUsed(run: () => void): void {
  const begun = new AbortController();
  const begin = (event: Event) => {
    if (!isSign(event)) return;
    begun.abort();
    run();
  };
  for (const type of SIGNS_OF_USE)
    addEventListener(type, begin, { capture: true, passive: true, signal: begun.signal });
}

/** Runs once the page is ready, or with the first earlier sign of the visitor. */
export function whenUsedOrLoaded(run: () => void): void {
  let isBegun = false;
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    run();
  };
  whenUsed(begin);
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
