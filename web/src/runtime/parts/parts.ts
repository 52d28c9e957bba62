/**
 * Parts: scripts for elements of the published page. Each is a file `*.part.ts` next to its owner and declares its elements and the
 * time of fetching; the build finds them (`scripts/browser-code.ts`).
 */
import type hooks from '../../../hooks.json';
import { LAZY_AFTER_LOAD_MS, LAZY_WITHIN_PX } from '../../constants.ts';
import { isSparing } from '../../lib/connection.ts';
import { readFromEntry } from '../../lib/history-entry.ts';
import { isPlainClick } from '../../lib/plain-click.ts';
import { whenLoaded } from '../loaded.ts';
import { retryOnce } from '../retry-once.ts';
import { near } from './near.ts';
import { touched } from './touched.ts';

/** Names of `data-…` attributes for scripts, styles and journeys. Those of plugins begin with `own-`. */
export type Hook = keyof typeof hooks | `own-${string}`;

/** The time at which the code of a part is fetched; its function is missing before. */
export type When =
  /** With the first sign of the visitor, at the latest when the page has loaded. */
  | 'load'
  /** Once the page has loaded. */
  | 'idle'
  /** Once its element is about to be seen, or touched. */
  | 'near'
  /** The same from further away, and in any case a while after load (spec §9). Who saves data waits as for `touch`. */
  | 'lazy'
  /** Once a pointer, a finger or the focus is on its element. */
  | 'touch';

/** Runs the part on its element. `left` ends its listeners elsewhere when the visitor leaves the element's page. */
export type Run = (element: HTMLElement, left: AbortSignal) => Promise<void>;

/** The export `part` of a file `*.part.ts`, next to its `run`. */
export interface Part {
  /** Elements with this hook; of a frame and a main part with the same, the main part's alone. */
  on: `${'' | 'main '}[data-${Hook}]`;
  when: When;
}

/** A part that is still to be fetched. */
export type AwaitedPart = readonly [on: string, when: When, load: () => Promise<Run>];

/** Elements without an action of the browser. */
const ONLY_BY_SCRIPT = 'button[type=button]:not([popovertarget])';

const NEVER = new AbortController().signal;

const WAITS: Record<When, (element: HTMLElement) => Promise<void> | undefined> = {
  load: () => undefined,
  idle: () => new Promise(whenLoaded),
  near: (element) => Promise.race([touched(element), near(element)]),
  lazy: (element) =>
    Promise.race([touched(element), ...(isSparing() ? [] : [near(element, LAZY_WITHIN_PX), aWhileAfterLoad()])]),
  touch: touched,
};

/**
 * Fetches and runs the code for the elements in `root`. After an error, the element stays as published. Only elements in the main
 * part are ever left: the frame stays. `onMissing` is called if code could not be fetched.
 */
export function startParts(
  parts: readonly AwaitedPart[],
  root: ParentNode,
  left: AbortSignal,
  onMissing: () => void = () => {},
): void {
  for (const part of parts) {
    for (const element of root.querySelectorAll<HTMLElement>(part[0])) {
      const end = element.closest('main') ? left : NEVER;
      start(part, element, end, onMissing).catch((error) => console.error(`Not loaded: ${part[0]}.`, error));
    }
  }
}

async function start(
  [, when, load]: AwaitedPart,
  element: HTMLElement,
  left: AbortSignal,
  onMissing: () => void,
): Promise<void> {
  const giveBack = holdClick(element);
  try {
    if (!isRemembered(element)) await WAITS[when](element);
    const run = await retryOnce(load).catch((error) => {
      if (!left.aborted) onMissing();
      throw error;
    });
    if (!left.aborted) await run(element, left);
  } finally {
    giveBack();
  }
}

/** A visitor who has come back used this element before: it is to be as they left it. */
function isRemembered({ dataset: { remembers } }: HTMLElement): boolean {
  return readFromEntry(`${remembers}`) !== undefined;
}

async function aWhileAfterLoad(): Promise<void> {
  await new Promise<void>(whenLoaded);
  await new Promise((resolve) => setTimeout(resolve, LAZY_AFTER_LOAD_MS));
}

/** A part answers clicks, on a link that it is or on buttons in it: one that comes before its code waits for it. */
function holdClick(element: HTMLElement): () => void {
  let held: HTMLElement | null = null;
  const hold = (event: MouseEvent) => {
    if (event.defaultPrevented || !isPlainClick(event) || !(event.target instanceof Element)) return;
    const control = element.matches('a') ? element : event.target.closest<HTMLElement>(ONLY_BY_SCRIPT);
    if (!control) return;
    event.preventDefault();
    held = control;
  };
  element.addEventListener('click', hold);
  return () => {
    element.removeEventListener('click', hold);
    if (held?.isConnected) held.click();
  };
}
