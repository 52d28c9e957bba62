// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { goalOf, startTabs } from './tabs.ts';

describe('a key in a list of three tabs', () => {
  it.each([
    ['ArrowRight', 0, 'ltr', 1],
    ['ArrowRight', 2, 'ltr', 0],
    ['ArrowLeft', 0, 'ltr', 2],
    ['ArrowRight', 0, 'rtl', 2],
    ['ArrowLeft', 0, 'rtl', 1],
    ['ArrowLeft', 2, 'rtl', 0],
    ['ArrowDown', 1, 'rtl', 2],
    ['ArrowUp', 0, 'ltr', 2],
    ['Home', 2, 'ltr', 0],
    ['End', 0, 'rtl', 2],
    ['Tab', 0, 'ltr', null],
    ['a', 0, 'rtl', null],
  ] as const)('%s at tab %i, %s, leads to %s', (key, at, dir, goal) => {
    expect(goalOf(key, at, 3, dir)).toBe(goal);
  });
});

const onShow = vi.fn<(section: HTMLElement) => void>();

beforeEach(() => {
  onShow.mockClear();
  Element.prototype.scrollIntoView = () => {};
  document.body.innerHTML =
    '<div data-tabs="Insights">' +
    ['a', 'b', 'c'].map((id) => `<section id="${id}" data-tab="Tab ${id}"></section>`).join('') +
    '</div>';
});

function start(options: Parameters<typeof startTabs>[1] = {}): HTMLElement[] {
  startTabs(document.querySelector('[data-tabs]') as HTMLElement, options);
  return [...document.querySelectorAll<HTMLElement>('[role=tab]')];
}

function state() {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  return {
    selected: tabs.filter((tab) => tab.ariaSelected === 'true').map(({ textContent }) => textContent),
    stops: tabs.filter(({ tabIndex }) => tabIndex === 0).map(({ textContent }) => textContent),
    shown: [...document.querySelectorAll('[role=tabpanel]:not([hidden])')].map(({ id }) => id),
    focused: document.activeElement?.textContent,
  };
}

function press(key: string): boolean {
  return document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
  ) as boolean;
}

describe('a list of tabs', () => {
  it('moves focus, choice and panel together, and is one stop of the keyboard', () => {
    const [first] = start();
    first?.focus();
    expect(press('ArrowRight')).toBe(false);
    expect(state()).toEqual({ selected: ['Tab b'], stops: ['Tab b'], shown: ['b'], focused: 'Tab b' });
    press('End');
    expect(state()).toEqual({ selected: ['Tab c'], stops: ['Tab c'], shown: ['c'], focused: 'Tab c' });
    expect(press('Tab')).toBe(true);
  });

  it('goes the way the arrow points where the page reads from right to left', () => {
    document.querySelector<HTMLElement>('[data-tabs]')?.style.setProperty('direction', 'rtl');
    const [first] = start();
    first?.focus();
    press('ArrowLeft');
    expect(state().shown).toEqual(['b']);
  });

  it('tells of each section that is shown', () => {
    const tabs = start({ onShow });
    tabs[2]?.click();
    expect(onShow.mock.calls.map(([{ id }]) => id)).toEqual(['a', 'c']);
  });

  it.each([
    [true, 'mouse', ['b']],
    [true, 'touch', ['a']],
    [false, 'mouse', ['a']],
  ])('with the wish to follow the mouse (%s), a %s over it shows %j', (atHover, pointerType, shown) => {
    const tabs = start({ atHover });
    const come = new Event('pointerenter');
    Object.assign(come, { pointerType });
    tabs[1]?.dispatchEvent(come);
    expect(state().shown).toEqual(shown);
  });
});
