/**
 * Wakes islands: finds out when one is needed, fetches React and its code, and gives it what happened in the meantime.
 * Framework-free: this runs before load on every page. What React does stands in `hydrate.ts`, fetched with the island.
 */
import { CHUNK_RETRY_DELAY_MS, SLOW_CONNECTION } from '../constants.ts';
import type { IslandData } from '../contract/index.ts';
import type { IslandComponent } from './hydrate.ts';

/** By name: fetches the code of an island. */
export type IslandLoaders = Record<string, () => Promise<IslandComponent>>;

/** The content of `<script id="islands">`. */
interface PageIslands {
  preload: string[];
  islands: IslandData[];
}

declare global {
  interface Navigator {
    connection?: { saveData?: boolean; effectiveType?: string };
  }
}

const ISLAND = '[data-island]';

/** What the browser does by itself must not wait for us, and a replayed event would not do it. */
const NATIVE = 'a[href],summary,label,select,textarea,input:not([type=submit],[type=button],[type=reset],[type=image])';

export function startIslands(loaders: IslandLoaders): void {
  const waking = new WeakMap<Element, Promise<void>>();
  const settled = new WeakSet<Element>();
  const page: PageIslands = JSON.parse(
    document.getElementById('islands')?.textContent || '{"preload":[],"islands":[]}',
  );

  function wake(island: Element): Promise<void> {
    let promise = waking.get(island);
    if (!promise) {
      promise = hydrate(island)
        .catch((error) => console.error(`The part "${island.id}" stays as it is: its code could not be loaded.`, error))
        .then(() => void settled.add(island));
      waking.set(island, promise);
    }
    return promise;
  }

  async function hydrate(island: Element): Promise<void> {
    const data = page.islands.find(({ id }) => id === island.id);
    const load = data && loaders[data.name];
    if (!load) return;
    const [{ hydrateIsland }, component] = await retryOnce(() => Promise.all([import('./hydrate.ts'), load()]));
    hydrateIsland(island, component, data);
  }

  function wakeAll(): void {
    for (const type of ['pointerdown', 'keydown', 'touchstart']) removeEventListener(type, wakeAll, true);
    for (const island of document.querySelectorAll(ISLAND)) wake(island);
  }

  function wakeAround({ target }: Event): void {
    const island = target instanceof Element && target.closest(ISLAND);
    if (island) wake(island);
  }

  /** Keeps a click or a form until the island can answer it. Exactly once: what is replayed finds the island settled. */
  function hold(event: Event): void {
    const { target } = event;
    const island = target instanceof Element && target.closest(ISLAND);
    if (!island || settled.has(island) || (event.type === 'click' && target.closest(NATIVE))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // In a task of its own, as a click is: what one of them changed, the next one finds drawn.
    wake(island).then(() => setTimeout(replay, 0, event, target));
  }

  for (const type of ['pointerdown', 'keydown', 'touchstart'])
    addEventListener(type, wakeAll, { capture: true, passive: true });
  for (const type of ['focusin', 'pointerover']) addEventListener(type, wakeAround, { capture: true, passive: true });
  for (const type of ['click', 'submit']) addEventListener(type, hold, true);
  preloadWhenIdle(page.preload);
}

function replay(event: Event, target: Element): void {
  if (event instanceof SubmitEvent && target instanceof HTMLFormElement) {
    target.requestSubmit(event.submitter ?? undefined);
  } else target.dispatchEvent(new MouseEvent('click', event));
}

async function retryOnce<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, CHUNK_RETRY_DELAY_MS));
    return load();
  }
}

/** Fetches, and does not run, what the islands will need, once the page stands still and if the connection can take it. */
function preloadWhenIdle(urls: string[]): void {
  const { connection } = navigator;
  if (connection?.saveData || SLOW_CONNECTION.test(connection?.effectiveType ?? '')) return;
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  const preload = () => {
    for (const href of urls) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
  };
  if (document.readyState === 'complete') whenIdle(preload);
  else addEventListener('load', () => whenIdle(preload), { once: true });
}
