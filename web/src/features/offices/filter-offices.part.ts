/**
 * Shows the offices of one category: the cards of the page itself, hidden or not. Visitors who come back find the category that they
 * chose.
 */
import { keepInEntry, readFromEntry } from '../../lib/history-entry.ts';
import { stayInPlace } from '../../runtime/navigation/scroll-memory.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-office-filter]', when: 'touch' };
export { filterOffices as run };

async function filterOffices(filter: HTMLElement): Promise<void> {
  const name = filter.dataset['remembers'] ?? '';
  const list = document.getElementById(name);
  const cards = [...(list?.querySelectorAll<HTMLElement>('[data-office-category]') ?? [])];
  const buttons = [...filter.querySelectorAll('button')];
  const status = filter.querySelector('[role=status]');
  const choose = (chosen: HTMLButtonElement) => {
    for (const button of buttons) button.ariaPressed = String(button === chosen);
    for (const card of cards) card.hidden = chosen.value !== '' && card.dataset['officeCategory'] !== chosen.value;
    if (status) status.textContent = chosen.dataset['says'] ?? '';
  };
  filter.addEventListener('click', ({ target }) => {
    const chosen = target instanceof Element && target.closest('button');
    if (!chosen) return;
    choose(chosen);
    keepInEntry(name, chosen.value);
  });
  const kept = buttons.find(({ value }) => value === readFromEntry(name));
  if (kept) stayInPlace(() => choose(kept));
}
