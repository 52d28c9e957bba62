/** On small screens the footer's groups fold: the title becomes a button. The links are the same ones everywhere. */
import { ACCORDION_BELOW_PX } from '../../constants.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-accordion]', when: 'load' };
export { foldGroups as run };

async function foldGroups(container: HTMLElement): Promise<void> {
  const isSmall = matchMedia(`(width < ${ACCORDION_BELOW_PX}px)`);
  const groups = [...container.querySelectorAll<HTMLElement>('[data-group]')];
  const update = () => {
    for (const group of groups) isSmall.matches ? fold(group) : unfold(group);
  };
  isSmall.addEventListener('change', update);
  update();
}

function fold(group: HTMLElement): void {
  const title = group.querySelector('h3');
  const list = group.querySelector('ul');
  if (!title || !list || group.hasAttribute('data-folding')) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = title.textContent;
  button.setAttribute('aria-controls', list.id);
  const show = (isOpen: boolean) => {
    button.ariaExpanded = String(isOpen);
    list.hidden = !isOpen;
  };
  button.addEventListener('click', () => show(list.hidden === true));
  title.replaceChildren(button);
  group.setAttribute('data-folding', '');
  show(list.querySelector('[aria-current]') !== null);
}

function unfold(group: HTMLElement): void {
  const title = group.querySelector('h3');
  const list = group.querySelector('ul');
  if (!title || !list || !group.hasAttribute('data-folding')) return;
  title.textContent = title.querySelector('button')?.textContent ?? '';
  list.hidden = false;
  group.removeAttribute('data-folding');
}
