/**
 * Adds items of the API to a published list. A new card is a copy of the list's first one with other content, so the browser needs no
 * component.
 */
import { keepInEntry, readFromEntry } from '../../../lib/history-entry.ts';
import { fill } from '../../../locales/fill.ts';
import { stayInPlace } from '../../../runtime/navigation/scroll-memory.ts';
import type { MoreSettings } from '../more.tsx';
import { collectMore, type MorePage } from './collect-more.ts';

interface Growth<Item> {
  /** The first argument of `load`. */
  start: number;
  /** How many new items one click shows at least, where there are so many. */
  enough: number;
  load(at: number): Promise<MorePage<Item>>;
  /** Makes an item's card of another one's. */
  fillCard(card: HTMLElement, item: Item): void;
}

/**
 * `more`: the element below the list. The first new card gets the focus, so that keyboard users continue there. Returning
 * visitors find the list at its last length: new items are stored with the history entry, so no request is needed.
 */
export function growList<Item extends { id: string }>(
  more: HTMLElement,
  { listId, count, total, labels }: MoreSettings,
  { start, enough, load, fillCard }: Growth<Item>,
): void {
  const list = document.getElementById(listId);
  const button = more.querySelector('button');
  const [status, alert] = more.querySelectorAll('p');
  if (!list || !button || !status || !alert) return;
  let grown: MorePage<Item> = { items: [], next: start };

  const buildCard = (item: Item): HTMLElement => {
    const card = list.firstElementChild?.cloneNode(true) as HTMLElement;
    for (const name of ['hidden', 'data-review-country', 'data-yields-to']) card.removeAttribute(name);
    card.dataset['id'] = item.id;
    fillCard(card, item);
    return card;
  };
  /** Gives back the new cards. */
  const show = ({ items, next }: MorePage<Item>): HTMLElement[] => {
    const cards = items.map(buildCard);
    list.append(...cards);
    grown = { items: [...grown.items, ...items], next };
    status.textContent = fill(labels.shown, { n: count + grown.items.length, total });
    button.textContent = labels.more;
    if (next === null) button.remove();
    return cards;
  };
  const grow = async (at: number): Promise<void> => {
    const [first] = show(await collectMore(load, at, readShown(list), enough));
    // The page may have been left in the meantime, and the entry with it.
    if (list.isConnected) keepInEntry(listId, grown);
    first?.focus({ preventScroll: true });
  };

  const kept = readFromEntry(listId) as MorePage<Item> | undefined;
  if (kept) {
    const shown = readShown(list); // the new items may contain them after a publish
    stayInPlace(() => show({ ...kept, items: kept.items.filter(({ id }) => !shown.has(id)) }));
  }
  button.addEventListener('click', async () => {
    if (grown.next === null || button.ariaDisabled) return;
    button.ariaDisabled = 'true';
    alert.textContent = '';
    try {
      await grow(grown.next);
    } catch {
      alert.textContent = labels.failed;
      button.textContent = labels.retry;
    }
    button.ariaDisabled = null;
  });
  more.dataset['ready'] = '';
}

/** Returns the ids of all items in the list: the page's own and added ones. */
function readShown(list: Element): Set<string> {
  return new Set([...list.querySelectorAll<HTMLElement>('[data-id]')].map(({ dataset }) => dataset['id'] ?? ''));
}
