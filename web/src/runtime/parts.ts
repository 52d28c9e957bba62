import { isPlainClick } from '../lib/plain-click.ts';
import { retryOnce } from './retry-once.ts';

/** Runs on an element; what it listens to beyond the element ends with `left`: the element's page has been left. */
export type Part = (element: HTMLElement, left: AbortSignal) => Promise<void>;

const NEVER = new AbortController().signal;

/** By selector: fetches the code for an element. */
export type PartLoaders = Record<string, (element: HTMLElement) => Promise<Part>>;

/**
 * Fetches and runs the code of what stands in `root`. What fails leaves the page as it was published. Only what stands in the
 * main part is ever left: the frame stays. `onMissing` is called where code could not be fetched.
 */
export function startParts(
  loaders: PartLoaders,
  root: ParentNode,
  left: AbortSignal,
  onMissing: () => void = () => {},
): void {
  for (const [selector, load] of Object.entries(loaders)) {
    for (const element of root.querySelectorAll<HTMLElement>(selector)) {
      const end = element.closest('main') ? left : NEVER;
      start(load, element, end, onMissing).catch((error) => console.error(`${selector} stays as it is.`, error));
    }
  }
}

async function start(
  load: (element: HTMLElement) => Promise<Part>,
  element: HTMLElement,
  left: AbortSignal,
  onMissing: () => void,
): Promise<void> {
  const giveBack = holdClick(element);
  try {
    const run = await retryOnce(() => load(element)).catch((error) => {
      if (!left.aborted) onMissing();
      throw error;
    });
    if (!left.aborted) await run(element, left);
  } finally {
    giveBack();
  }
}

/** A part that is a link answers clicks: one that comes before its code would lead away, and waits for it. */
function holdClick(element: HTMLElement): () => void {
  let isHeld = false;
  const hold = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    isHeld = true;
  };
  if (element.matches('a')) element.addEventListener('click', hold);
  return () => {
    element.removeEventListener('click', hold);
    if (isHeld && element.isConnected) element.click();
  };
}
