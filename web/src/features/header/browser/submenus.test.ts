import '../../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownListeners } from '../../../testing/own-listeners.ts';
import { providePopovers } from '../../../testing/popovers.ts';
import { startSubmenus } from './submenus.ts';

providePopovers();
ownListeners(document, window);

/** The panel of every item: as wide as the window, below a menu 72 px high. */
const PANEL = { left: 0, right: 1280, top: 72, bottom: 400 } as DOMRect;
let isWide: boolean;

beforeEach(() => {
  isWide = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return isWide;
    },
    addEventListener() {},
  }));
  document.body.innerHTML = `<a href="/" id="logo"></a><nav data-menu>${['a', 'b']
    .map(
      (key) =>
        `<li data-submenu="${key}"><div><button id="${key}" aria-expanded="false" aria-controls="panel-${key}"></button></div>` +
        `<div id="panel-${key}" data-panel><a href="/${key}" id="link-${key}"></a></div></li>`,
    )
    .join('')}</nav><main></main>`;
  for (const panel of document.querySelectorAll('[data-panel]')) panel.getBoundingClientRect = () => PANEL;
  startSubmenus(get('[data-menu]'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function get(selector: string): HTMLElement {
  return document.querySelector(selector) as HTMLElement;
}

const open = () => [...document.querySelectorAll('[data-popover-open]')].map(({ id }) => id);
const expanded = () => [...document.querySelectorAll('[aria-expanded=true]')].map(({ id }) => id);

/** The pointer comes to an element, at a point of the window. */
function move(selector: string, [clientX, clientY]: [number, number] = [400, 40], pointerType = 'mouse'): void {
  const event = new MouseEvent('pointermove', { bubbles: true, clientX, clientY });
  get(selector).dispatchEvent(Object.assign(event, { pointerType }));
}

function leave(): void {
  get('[data-menu]').dispatchEvent(Object.assign(new Event('pointerleave'), { pointerType: 'mouse' }));
}

function hover(): void {
  move('#a');
  vi.advanceTimersByTime(200);
}

const pressEscape = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));

describe('with the mouse', () => {
  it('a sub-menu opens after 200 ms, and another one takes its place after 100', () => {
    move('#a');
    vi.advanceTimersByTime(199);
    expect(open()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect([open(), expanded()]).toEqual([['panel-a'], ['a']]);
    move('#b', [500, 40]);
    vi.advanceTimersByTime(99);
    expect(open()).toEqual(['panel-a']);
    vi.advanceTimersByTime(1);
    expect([open(), expanded()]).toEqual([['panel-b'], ['b']]);
  });

  it('leaving before the delay opens nothing', () => {
    move('#a');
    vi.advanceTimersByTime(150);
    leave();
    vi.advanceTimersByTime(1000);
    expect(open()).toEqual([]);
  });

  it('the way to the panel may lead over another item, as long as the pointer moves', () => {
    hover();
    for (let step = 1; step <= 8; step += 1) {
      move('#b', [400 + step * 10, 40 + step * 3]);
      vi.advanceTimersByTime(50);
    }
    move('#panel-a', [490, 80]);
    vi.advanceTimersByTime(1000);
    expect(open()).toEqual(['panel-a']);
  });

  it('resting on the way means the item that lies there', () => {
    hover();
    move('#b', [410, 46]);
    vi.advanceTimersByTime(100);
    expect(open()).toEqual(['panel-b']);
  });

  it('the panel stays while the pointer is in it, and goes 300 ms after', () => {
    hover();
    move('#link-a', [400, 90]);
    vi.advanceTimersByTime(5000);
    leave();
    vi.advanceTimersByTime(299);
    expect(open()).toEqual(['panel-a']);
    vi.advanceTimersByTime(1);
    expect([open(), expanded()]).toEqual([[], []]);
  });

  it.each([
    ['a finger', () => move('#a', [400, 40], 'touch')],
    [
      'a narrow window',
      () => {
        isWide = false;
        move('#a');
      },
    ],
  ])('%s opens nothing by hovering', (_, come) => {
    come();
    vi.advanceTimersByTime(1000);
    expect(open()).toEqual([]);
  });
});

describe('with clicks and keys', () => {
  it('a press opens, switches and closes', () => {
    get('#a').click();
    expect(open()).toEqual(['panel-a']);
    get('#b').click();
    expect(open()).toEqual(['panel-b']);
    get('#b').click();
    expect([open(), expanded()]).toEqual([[], []]);
  });

  it('Escape closes, gives the focus back where it was in the panel, and keeps it shut under the pointer', () => {
    hover();
    get('#link-a').focus();
    pressEscape();
    expect([open(), document.activeElement?.id]).toEqual([[], 'a']);
    move('#a', [401, 40]);
    vi.advanceTimersByTime(1000);
    expect(open()).toEqual([]);
    leave();
    hover();
    expect(open()).toEqual(['panel-a']);
  });

  it('Escape leaves a focus alone that is elsewhere', () => {
    hover();
    get('#logo').focus();
    pressEscape();
    expect([open(), document.activeElement?.id]).toEqual([[], 'logo']);
  });

  it('the focus leaving the menu closes it, going on inside does not', () => {
    get('#a').focus();
    get('#a').click();
    get('#link-a').focus();
    expect(open()).toEqual(['panel-a']);
    get('#logo').focus();
    expect(open()).toEqual([]);
  });

  it('following a link of the panel closes it', () => {
    get('#a').click();
    get('#link-a').addEventListener('click', (event) => event.preventDefault());
    get('#link-a').click();
    expect(open()).toEqual([]);
  });

  it('a panel that the browser closes is closed', () => {
    get('#a').click();
    get('#panel-a').hidePopover();
    expect(expanded()).toEqual([]);
    get('#a').click();
    expect(open()).toEqual(['panel-a']);
  });
});
