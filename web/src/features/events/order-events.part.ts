/**
 * Moves upcoming events in the visitor's country to the top (spec §7, content/events). The published page lists upcoming events
 * before past ones, but does not depend on the visitor or the day. Without React: it runs on every visit of the page.
 *
 * A list with a limit shows the next events only, or past ones if no event is upcoming.
 */
import { listEvents } from '../../lib/api-client.ts';
import { readServedCountry } from '../../lib/visitor-country.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-events]', when: 'load' };
export { orderEvents as run };

/** Nothing moves under the hands of a visitor who is in the list already. */
async function orderEvents(list: HTMLElement): Promise<void> {
  const rows = [...list.querySelectorAll<HTMLElement>(':scope > [data-id]')];
  const places = await readPlaces();
  const placeOf = (row: HTMLElement) => places?.get(row.dataset['id'] ?? '') ?? rows.length;
  const today = new Date().toISOString().slice(0, 10);
  const endOf = (row: HTMLElement) => row.dataset['end'] ?? today;
  const isPast = (row: HTMLElement) => row.hasAttribute('data-past') || endOf(row) < today;
  const coming = rows.filter((row) => !isPast(row)).sort((a, b) => placeOf(a) - placeOf(b));
  // The latest first: visitors who look for a talk remember the last event.
  const past = rows.filter(isPast).sort((a, b) => endOf(b).localeCompare(endOf(a)));
  const ordered = [...coming, ...past];
  const limit = list.dataset['limit'];
  const shown = limit === undefined ? rows : (coming.length > 0 ? coming : past).slice(0, Number(limit));
  for (const row of past) row.setAttribute('data-past', '');
  if (ordered.every((row, index) => row === rows[index]) || list.contains(document.activeElement)) return;
  if (isInView(list)) await fadeOut(list);
  list.append(...ordered);
  for (const row of rows) row.hidden = !shown.includes(row);
  // One frame later, or the browser would take it for a row that moved before the visitor's eyes.
  requestAnimationFrame(() => requestAnimationFrame(() => list.removeAttribute('data-changing')));
}

/** Places of the events by id, where there is a country to go by and the API answers. */
async function readPlaces(): Promise<Map<string, number> | null> {
  const countryCode = readServedCountry();
  if (!countryCode) return null;
  try {
    const { items } = await listEvents({ countryCode });
    return new Map(items.map(({ id }, index) => [id, index]));
  } catch (error) {
    console.error('Events stand by their day alone.', error);
    return null;
  }
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

async function fadeOut(list: HTMLElement): Promise<void> {
  list.setAttribute('data-changing', '');
  // Reading the style starts the transition; with reduced motion there is none to wait for.
  getComputedStyle(list).opacity;
  await Promise.allSettled(list.getAnimations?.().map(({ finished }) => finished) ?? []);
}
