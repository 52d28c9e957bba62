/**
 * Parts: code that makes something of an element of the published page. Each stands in a file `*.part.ts` beside its owner and
 * says what it runs on and when it is fetched; the build finds them (`scripts/browser-code.ts`).
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

/** What stands in HTML for scripts, styles and journeys, as `data-…`. Those of plugins begin with `own-`. */
export type Hook = keyof typeof hooks | `own-${string}`;

/** When the code of a part is fetched; what it is for cannot be had before. */
export type When =
  /** Before anybody looks for it: with the first sign of somebody, at the latest when the page has loaded. */
  | 'load'
  /** Once the page has loaded. */
  | 'idle'
  /** Once its element is about to be seen, or touched. */
  | 'near'
  /** The same from further away, and in any case a while after load (spec §9). Who saves data waits as for `touch`. */
  | 'lazy'
  /** Once a pointer, a finger or the focus is on its element. */
  | 'touch';

/** Does what the part is for. What it listens to beyond the element ends with `left`: the element's page has been left. */
export type Run = (element: HTMLElement, left: AbortSignal) => Promise<void>;

/** What is exported as `part` by a file `*.part.ts`, beside its `run`. */
export interface Part {
  /** Elements with this hook; of a frame and a main part with the same, the main part's alone. */
  on: `${'' | 'main '}[data-${Hook}]`;
  when: When;
}

/** A part that is still to be fetched. */
export type AwaitedPart = readonly [on: string, when: When, load: () => Promise<Run>];

/** What the browser does nothing about by itself. */
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
 * Fetches and runs the code of what stands in `root`. What fails leaves the page as it was published. Only what stands in the
 * main part is ever left: the frame stays. `onMissing` is called where code could not be fetched.
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
