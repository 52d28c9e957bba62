/** Shows the offices of one category: the cards of the page itself, hidden or not. */
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-office-filter]', when: 'touch' };
export { filterOffices as run };

async function filterOffices(filter: HTMLElement): Promise<void> {
  const list = document.getElementById(filter.getAttribute('aria-controls') ?? '');
  const cards = [...(list?.querySelectorAll<HTMLElement>('[data-office-category]') ?? [])];
  const buttons = [...filter.querySelectorAll('button')];
  const status = filter.querySelector('[role=status]');
  filter.addEventListener('click', ({ target }) => {
    const chosen = buttons.find((button) => button === target);
    if (!chosen) return;
    for (const button of buttons) button.ariaPressed = String(button === chosen);
    for (const card of cards) card.hidden = chosen.value !== '' && card.dataset['officeCategory'] !== chosen.value;
    if (status) status.textContent = chosen.dataset['says'] ?? '';
  });
}
