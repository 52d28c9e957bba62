/** Sub-menus on wide screens: hovering, clicks, keys. `../submenu-state.ts` decides about opening and closing. */
import { MOBILE_UP_TO_PX } from '../../../constants.ts';
import { type Edge, isHeadingFor, type Point } from '../../../domain/menu-aim.ts';
import { findPointer } from '../../../runtime/parts/find-pointer.ts';
import { CLOSED, reduceSubmenu, type SubmenuEvent } from '../submenu-state.ts';

/** The direction is measured from where the pointer was some moves ago, because single moves jitter. */
const MOVES_REMEMBERED = 3;

interface Item {
  element: HTMLElement;
  button: HTMLButtonElement;
  panel: HTMLElement;
}

export function startSubmenus(menu: HTMLElement): void {
  const items = findItems(menu);
  const isWide = matchMedia(`(width > ${MOBILE_UP_TO_PX}px)`);
  let state = CLOSED;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let way: Point[] = [];

  function send(event: SubmenuEvent): void {
    const before = state;
    state = reduceSubmenu(state, event);
    if (state.open !== before.open) show(before.open, state.open);
    if (state.pending === before.pending) return;
    clearTimeout(timer);
    if (state.pending) {
      const { due } = state.pending;
      timer = setTimeout(() => send({ type: 'time', now: due }), due - performance.now());
    }
  }

  function show(before: string | null, after: string | null): void {
    const old = before === null ? undefined : items.get(before);
    const next = after === null ? undefined : items.get(after);
    if (old?.panel.matches(':popover-open')) old.panel.hidePopover();
    if (next && !next.panel.matches(':popover-open')) next.panel.showPopover({ source: next.button });
  }

  function edge(): Edge | undefined {
    const panel = state.open === null ? undefined : items.get(state.open)?.panel.getBoundingClientRect();
    return panel && { start: { x: panel.left, y: panel.top }, end: { x: panel.right, y: panel.top } };
  }

  function move(event: PointerEvent): void {
    if (event.pointerType !== 'mouse' || !isWide.matches || !(event.target instanceof Element)) return;
    const pointer = { x: event.clientX, y: event.clientY };
    const from = way[0];
    way = [...way.slice(1 - MOVES_REMEMBERED), pointer];
    const panel = edge();
    const aiming = panel !== undefined && from !== undefined && isHeadingFor(panel, from, pointer);
    come(event.target, aiming, performance.now());
  }

  function come(target: Element, aiming: boolean, now: number): void {
    const key = target.closest<HTMLElement>('[data-submenu]')?.dataset['submenu'];
    if (target.closest('[data-panel]')) send({ type: 'home', now });
    else if (key !== undefined) send({ type: 'over', key, aiming, now });
    else if (!aiming) send({ type: 'out', now });
  }

  menu.addEventListener('pointermove', move);
  menu.addEventListener('pointerleave', (event) => {
    way = [];
    if (event.pointerType === 'mouse') send({ type: 'out', now: performance.now() });
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (isWide.matches && relatedTarget instanceof Node && !menu.contains(relatedTarget)) send({ type: 'close' });
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && state.open !== null) dismiss();
  });
  isWide.addEventListener('change', () => send({ type: 'close' }));

  /** The focus goes back to the button only where it would be lost with the panel. */
  function dismiss(): void {
    const item = state.open === null ? undefined : items.get(state.open);
    const hadFocus = item?.panel.contains(document.activeElement);
    send({ type: 'escape' });
    if (hadFocus) item?.button.focus();
  }

  for (const [key, { button, panel }] of items) {
    // Opened by the browser while this code was on its way.
    if (panel.matches(':popover-open')) {
      button.setAttribute('aria-expanded', 'true');
      if (isWide.matches) send({ type: 'toggle', key });
    }
    button.addEventListener('click', (event) => {
      if (!isWide.matches) return; // the browser's own: the panel is pushed onto the others
      event.preventDefault();
      send({ type: 'toggle', key });
    });
    panel.addEventListener('toggle', ({ newState }) => {
      button.setAttribute('aria-expanded', String(newState === 'open'));
      if (newState === 'closed' && state.open === key) send({ type: 'close' });
    });
    panel.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('a[href]:not([target])')) send({ type: 'close' });
    });
  }

  // The pointer may have come to rest on the menu while this code was loading.
  const pointer = findPointer();
  if (pointer?.isMouse && isWide.matches && menu.contains(pointer.over)) come(pointer.over, false, pointer.since);
}

function findItems(menu: HTMLElement): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const element of menu.querySelectorAll<HTMLElement>('[data-submenu]')) {
    const button = element.querySelector<HTMLButtonElement>('button[aria-controls]');
    const panel = element.querySelector<HTMLElement>('[data-panel]');
    if (button && panel) items.set(element.dataset['submenu'] ?? '', { element, button, panel });
  }
  return items;
}
