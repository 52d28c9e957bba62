/**
 * Lets a published list grow by items of the API. A new card is a copy of the list's first one, filled anew: what the page's
 * components have drawn is what stands there, and no component is needed in the browser.
 */
import { fill } from '../../../locales/fill.ts';
import type { MoreSettings } from '../more.tsx';
import { collectMore, type MorePage } from './collect-more.ts';

interface Growth<Item> {
  /** What `load` is asked for first. */
  start: number;
  /** How many new items one click shows at least, where there are so many. */
  enough: number;
  load(at: number): Promise<MorePage<Item>>;
  /** Makes an item's card of another one's. */
  fillCard(card: HTMLElement, item: Item): void;
}

/** `more` is what stands below the list. The first new card gets the focus, so that keyboard users go on there. */
export function growList<Item extends { id: string }>(
  more: HTMLElement,
  { listId, count, total, labels }: MoreSettings,
  { start, enough, load, fillCard }: Growth<Item>,
): void {
  const list = document.getElementById(listId);
  const button = more.querySelector('button');
  const [status, alert] = more.querySelectorAll('p');
  if (!list || !button || !status || !alert) return;
  let next: number | null = start;
  let shown = count;

  const buildCard = (item: Item): HTMLElement => {
    const card = list.firstElementChild?.cloneNode(true) as HTMLElement;
    for (const name of ['hidden', 'data-review-country', 'data-yields-to']) card.removeAttribute(name);
    card.dataset['id'] = item.id;
    fillCard(card, item);
    return card;
  };
  const grow = async (at: number): Promise<void> => {
    const page = await collectMore(load, at, readShown(list), enough);
    const cards = page.items.map(buildCard);
    list.append(...cards);
    next = page.next;
    shown += cards.length;
    status.textContent = fill(labels.shown, { n: shown, total });
    button.textContent = labels.more;
    if (next === null) button.remove();
    cards[0]?.focus({ preventScroll: true });
  };

  button.addEventListener('click', async () => {
    if (next === null || button.ariaDisabled) return;
    button.ariaDisabled = 'true';
    alert.textContent = '';
    try {
      await grow(next);
    } catch {
      alert.textContent = labels.failed;
      button.textContent = labels.retry;
    }
    button.ariaDisabled = null;
  });
  more.dataset['ready'] = '';
}

/** Ids of all that stands in the list: the page's own items and those that came in. */
function readShown(list: Element): Set<string> {
  return new Set([...list.querySelectorAll<HTMLElement>('[data-id]')].map(({ dataset }) => dataset['id'] ?? ''));
}
