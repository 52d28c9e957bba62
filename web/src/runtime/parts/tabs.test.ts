/** Tabs by the APG; `show-tabs.test.ts` tests the choice by address. */
import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { goalOf, startTabs } from './tabs.ts';

const find = (selector: string) => document.querySelector(selector) as HTMLElement;
const tabs = () => [...document.querySelectorAll<HTMLElement>('[role=tab]')];
const tab = (at: number) => tabs()[at] as HTMLElement;
const chosen = () => tabs().findIndex(({ ariaSelected }) => ariaSelected === 'true');
const shown = () => [...document.querySelectorAll('[role=tabpanel]:not([hidden])')].map(({ id }) => id);

const scrolled = vi.fn();
beforeEach(() => {
  Element.prototype.scrollIntoView = scrolled;
  scrolled.mockClear();
  document.body.innerHTML = `
    <div data-tabs="Crews"><div id="one" data-tab="One"><b id="in-one"></b><div data-tab="Inner"></div></div>
    <div id="two" data-tab="Two"><b id="in-two"></b></div><div id="three" data-tab="Three"></div></div><p id="out"></p>`;
});

function start(options?: Parameters<typeof startTabs>[1]): ReturnType<typeof startTabs> {
  return startTabs(find('[data-tabs]'), options);
}

function press(key: string): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(event);
  return event.defaultPrevented;
}

describe('where a key leads', () => {
  const NOWHERE = [null, null, null];
  it.each([
    ['ArrowRight', 'ltr', 'row', [1, 2, 0]],
    ['ArrowLeft', 'ltr', 'row', [2, 0, 1]],
    ['ArrowRight', 'rtl', 'row', [2, 0, 1]],
    ['ArrowLeft', 'rtl', 'row', [1, 2, 0]],
    ['ArrowRight', 'ltr', 'column', [1, 2, 0]],
    ['ArrowDown', 'ltr', 'column', [1, 2, 0]],
    ['ArrowUp', 'rtl', 'column', [2, 0, 1]],
    ['ArrowDown', 'ltr', 'row', NOWHERE],
    ['ArrowUp', 'rtl', 'row', NOWHERE],
    ['Home', 'ltr', 'row', [0, 0, 0]],
    ['End', 'rtl', 'column', [2, 2, 2]],
    ['Enter', 'ltr', 'column', NOWHERE],
  ] as const)('%s in %s, in a %s', (key, dir, lie, goals) => {
    expect([0, 1, 2].map((at) => goalOf(key, at, 3, dir, lie === 'column'))).toEqual(goals);
  });
});

describe('tabs', () => {
  it('have the first section shown, and are one stop for the Tab key', () => {
    start();
    expect([chosen(), shown(), tabs().map(({ tabIndex }) => tabIndex)]).toEqual([0, ['one'], [0, -1, -1]]);
    expect(tabs().map(({ ariaSelected }) => ariaSelected)).toEqual(['true', 'false', 'false']);
    expect(find('[data-tabs]').hasAttribute('data-ready')).toBe(true);
    expect(find('[role=tablist]').parentElement?.firstElementChild).toBe(find('[role=tablist]'));
    expect((tab(0) as HTMLButtonElement).type).toBe('button');
  });

  it('follow the keys, with the focus', () => {
    start();
    tab(0).focus();
    expect(press('ArrowRight')).toBe(true);
    expect([chosen(), shown(), document.activeElement]).toEqual([1, ['two'], tab(1)]);
    press('ArrowRight');
    press('ArrowRight');
    expect([chosen(), document.activeElement]).toEqual([0, tab(0)]);
    expect(press('Enter'), 'what a button does by itself').toBe(false);
  });

  it('leave up and down to the page where they lie in a row, and follow them where they stand', () => {
    start();
    tab(0).focus();
    expect([press('ArrowDown'), chosen()]).toEqual([false, 0]);
    find('[role=tablist]').style.flexDirection = 'column';
    tab(1).focus(); // by then the stylesheet has it stand
    tab(0).focus();
    expect([press('ArrowDown'), chosen()]).toEqual([true, 1]);
  });

  it('follow the keys the other way round where one reads from right to left', () => {
    start();
    find('[role=tablist]').style.direction = 'rtl';
    tab(0).focus();
    press('ArrowRight');
    expect(chosen()).toBe(2);
  });

  it('leave keys alone that are pressed on something else in the list', () => {
    start();
    const other = document.createElement('button');
    find('[role=tablist]').append(other);
    other.focus();
    expect([press('ArrowRight'), chosen()]).toEqual([false, 0]);
  });

  it('are chosen by a click, and come into sight with it', () => {
    start();
    tab(2).click();
    expect([chosen(), shown(), document.activeElement]).toEqual([2, ['three'], document.body]);
    expect(scrolled).toHaveBeenCalledExactlyOnceWith({ block: 'nearest', inline: 'nearest' });
    expect(scrolled.mock.contexts).toEqual([tab(2)]);
  });

  it.each([
    [true, 'mouse', 1],
    [true, 'touch', 0],
    [false, 'mouse', 0],
  ])('with atHover: %s, a %s that comes over the second shows section %i', (atHover, pointerType, section) => {
    start({ atHover });
    tab(1).dispatchEvent(Object.assign(new Event('pointerenter'), { pointerType }));
    expect(chosen()).toBe(section);
  });

  it('tell which section is shown', () => {
    const told: string[] = [];
    start({ onShow: ({ id }) => void told.push(id) });
    tab(1).click();
    expect(told).toEqual(['one', 'two']);
  });

  it('choose the section that something is in', () => {
    const choose = start();
    expect([choose(find('#in-two')), shown()]).toEqual([true, ['two']]);
    expect([choose(find('#one')), shown()]).toEqual([true, ['one']]);
    expect([choose(find('#out')), shown()]).toEqual([false, ['one']]);
  });

  it('say whether they lie or stand, as the stylesheet has them by then', () => {
    start();
    const list = find('[role=tablist]');
    expect(list.ariaOrientation).toBe('horizontal');
    list.style.flexDirection = 'column';
    tab(0).focus();
    expect(list.ariaOrientation).toBe('vertical');
  });
});
