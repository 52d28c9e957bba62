/**
 * Wakes islands: detects demand, fetches React and the island's code, and passes on events from the meantime. Framework-free: this
 * runs before load on every page. The code with React is in `hydrate.ts`, fetched with the island.
 */
import { NEAR_PX } from '../../constants.ts';
import type { PageData } from '../../contract/types.ts';
import { isSparing } from '../../lib/connection.ts';
import { whenLoaded, whenUsed } from '../loaded.ts';
import { retryOnce } from '../retry-once.ts';
import type { IslandComponent, RunningIsland } from './hydrate.ts';

/** By name: fetches the code of an island. */
export type IslandLoaders = Record<string, () => Promise<IslandComponent>>;

/** The content of `<script id="_islands">`, and part of a page's data. */
export type PageIslands = Pick<PageData, 'islands' | 'preload'>;

export interface Islands {
  /** The document has another page: its islands are asleep, and those of the old page end. */
  renew(page: PageIslands): void;
  /** Fetches an island's code and hands it over to React; once. */
  wake(island: Element): void;
}

const ISLAND = '[data-island]';
const SIGNS_OF_INTEREST = ['pointerover', 'pointerdown', 'touchstart', 'focusin', 'keydown'];

/** Elements with a browser action, which must start at once, because a replayed event does not start it. */
const NATIVE = 'a[href],summary,label,select,textarea,input:not([type=submit],[type=button],[type=reset],[type=image])';

export function startIslands(loaders: IslandLoaders): Islands {
  const waking = new WeakMap<Element, Promise<unknown>>();
  const settled = new WeakSet<Element>();
  const running = new Map<Element, RunningIsland>();
  let isUsed = false;
  let page: PageIslands = JSON.parse(document.getElementById('_islands')?.textContent || '{"islands":[]}');

  function wake(island: Element): Promise<unknown> {
    let promise = waking.get(island);
    if (!promise) {
      promise = hydrate(island)
        .catch((error) => {
          island.setAttribute('data-failed', '');
          console.error(`Not loaded: ${island.id}.`, error);
        })
        .then(() => settled.add(island));
      waking.set(island, promise);
    }
    return promise;
  }

  async function hydrate(island: Element): Promise<void> {
    const data = page.islands.find(({ id }) => id === island.id);
    const load = data && loaders[data.name];
    if (!load) return;
    const [{ hydrateIsland }, component] = await retryOnce(() => Promise.all([import('./hydrate.ts'), load()]));
    // It may have gone with its page in the meantime.
    if (island.isConnected) running.set(island, await hydrateIsland(island, component, data));
  }

  /** Wakes islands for parameters of the page's address, without waiting for the visitor. */
  function wakeForAddress(): void {
    const asked = new URLSearchParams(location.search);
    for (const island of document.querySelectorAll('[data-wakes-for]')) {
      if (
        island
          .getAttribute('data-wakes-for')
          ?.split(' ')
          .some((name) => asked.has(name))
      )
        wake(island);
    }
  }

  function wakeAround({ target }: Event): void {
    const island = target instanceof Element && target.closest(ISLAND);
    if (island) wake(island);
  }

  /** Keeps a click or a submit until the island can handle it. Exactly once: a replayed event finds the island settled. */
  function hold(event: Event): void {
    const { target } = event;
    const island = target instanceof Element && target.closest(ISLAND);
    if (!island || settled.has(island) || (event.type === 'click' && target.closest(NATIVE))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // In a task of its own, as for a click: each event finds the changes of the previous one drawn.
    wake(island).then(() => setTimeout(replay, 0, event, (old: Element) => running.get(island)?.find(old) ?? old));
  }

  /**
   * Fetches the islands' code without running it once they are nearly visible, if the connection is fast enough. Waits for a sign
   * of the visitor, because a form in the first view is no sign of demand.
   */
  const nearby = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      nearby.disconnect();
      preloadModules(page.preload);
    },
    { rootMargin: `${NEAR_PX}px` },
  );

  function begin(): void {
    wakeForAddress();
    nearby.disconnect();
    if (isUsed && !isSparing()) for (const island of document.querySelectorAll(ISLAND)) nearby.observe(island);
  }

  for (const type of SIGNS_OF_INTEREST) addEventListener(type, wakeAround, { capture: true, passive: true });
  for (const type of ['click', 'submit']) addEventListener(type, hold, true);
  begin();
  whenUsed(() =>
    whenLoaded(() => {
      isUsed = true;
      begin();
    }),
  );
  return {
    wake,
    renew(next) {
      for (const [island, one] of running) {
        if (island.isConnected) continue;
        running.delete(island);
        one.end();
      }
      page = next;
      begin();
    },
  };
}

/** `find` returns the present element for an old one: the island may have been drawn again. */
function replay(event: Event, find: (old: Element) => Element): void {
  const now = find(event.target as Element);
  if (event.type === 'submit') {
    const { submitter } = event as SubmitEvent;
    (now as HTMLFormElement).requestSubmit(submitter ? (find(submitter) as HTMLElement) : undefined);
  } else now.dispatchEvent(new MouseEvent('click', event));
}

function preloadModules(urls: string[]): void {
  for (const href of urls) {
    if (document.querySelector(`link[href="${href}"]`)) continue;
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
}
