import type { Part } from '../../../runtime/parts/parts.ts';
import { lastPointer } from '../../../runtime/parts/pointer.ts';

export const part: Part = { on: '[data-switcher-place]', when: 'touch' };
export { closeSwitcher as run };

/**
 * The links keep the query and the hash of the visible page, so that the other domain also gets the ad's parameters.
 *
 * The list of languages closes when the mouse leaves, on Escape, and on a click or the focus elsewhere. It stays open while a
 * visitor uses it with the keyboard (spec §4 Language switcher). `place` stays; the list in it is each page's.
 */
async function closeSwitcher(place: HTMLElement): Promise<void> {
  const close = () => place.querySelector('details[open]')?.removeAttribute('open');
  const isOutside = (target: EventTarget | null) => target instanceof Node && !place.contains(target);
  /** A click leaves the focus on the button too; only a keyboard's is one to be seen. */
  const onLeave = () => {
    if (!place.querySelector(':focus-visible')) close();
  };
  place.addEventListener('mouseleave', onLeave);
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (isOutside(relatedTarget)) close();
  });
  place.addEventListener('keydown', (event) => {
    const list = place.querySelector('details[open]');
    if (event.key !== 'Escape' || !list) return;
    event.stopPropagation();
    close();
    list.querySelector('summary')?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (isOutside(target)) close();
  });
  // Each use of the link (open here or in a new tab, copy, share) starts with one of these events.
  for (const type of ['pointerdown', 'focusin', 'click', 'contextmenu']) place.addEventListener(type, keepQuery);
  place.dataset['ready'] = '';
  // Opened by the browser, and left, while this code was on its way.
  const pointer = lastPointer();
  if (pointer && isOutside(pointer.target)) onLeave();
}

function keepQuery({ target }: Event): void {
  const link = target instanceof Element && target.closest('a');
  if (!link) return;
  link.search = location.search;
  link.hash = location.hash;
}
