/**
 * The menu on small screens (spec §4 Mobile menu). The browser keeps the stack of panels: each is a popover inside the
 * one it was opened from, and closing the menu closes all of them. This module handles the focus, the background, and
 * the ways to close.
 */
import { MOBILE_UP_TO_PX } from '../../../constants.ts';

const FOCUSABLE = 'a[href],button:not([disabled])';

export function startMobileMenu(header: HTMLElement): void {
  const menu = header.querySelector<HTMLElement>('[data-menu]');
  const burger = header.querySelector<HTMLButtonElement>('[data-burger]');
  if (!menu || !burger) return;
  const isSmall = matchMedia(`(width <= ${MOBILE_UP_TO_PX}px)`);
  const behind = () => [
    ...[...document.body.children].filter((element) => element !== header && !element.contains(header)),
    ...[...header.children].filter((element) => element !== menu && element !== burger),
  ];

  menu.addEventListener('toggle', ({ target, newState }) => {
    if (target === menu) follow(newState === 'open');
  });
  function follow(isOpen: boolean): void {
    if (!menu || !burger) return;
    burger.setAttribute('aria-expanded', String(isOpen));
    burger.setAttribute('aria-label', burger.dataset[isOpen ? 'close' : 'open'] ?? '');
    for (const element of behind()) element.toggleAttribute('inert', isOpen);
    if (isOpen) stopsOf(menu)[0]?.focus();
  }
  // Opened by the browser while this code was on its way, or a panel in it already.
  if (menu.matches(':popover-open')) follow(true);

  for (const panel of menu.querySelectorAll<HTMLElement>('[data-panel]')) {
    const button = menu.querySelector<HTMLElement>(`button[aria-controls="${panel.id}"]`);
    panel.addEventListener('toggle', ({ newState }) => {
      if (!isSmall.matches) return;
      if (newState === 'open') panel.querySelector<HTMLElement>('[data-back]')?.focus();
      else if (menu.matches(':popover-open')) button?.focus();
    });
  }
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[href]:not([target])')) close();
  });
  header.addEventListener('keydown', (event) => {
    if (!menu.matches(':popover-open')) return;
    if (event.key === 'Escape') {
      event.preventDefault(); // the browser would close the topmost panel alone
      close();
      burger.focus();
    } else if (event.key === 'Tab') keepInside(event);
  });
  isSmall.addEventListener('change', close);

  function close(): void {
    if (menu?.matches(':popover-open')) menu.hidePopover();
  }

  /** From the last control to the burger and on to the first: elements behind the menu cannot get the focus. */
  function keepInside(event: KeyboardEvent): void {
    if (!menu || !burger) return;
    const stops = [...stopsOf(menu), burger];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const next = event.shiftKey ? at - 1 : at + 1;
    event.preventDefault();
    stops.at(next < 0 ? -1 : next % stops.length)?.focus();
  }
}

/** Returns the elements in the topmost panel that can have the focus. */
function stopsOf(menu: HTMLElement): HTMLElement[] {
  const open = [...menu.querySelectorAll<HTMLElement>(':popover-open')].at(-1) ?? menu;
  return [...open.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => element.checkVisibility());
}
