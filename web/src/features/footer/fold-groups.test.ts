import '../../testing/dom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { run as foldGroups } from './fold-groups.part.ts';

const small = Object.assign(new EventTarget(), { matches: false });

beforeEach(() => {
  small.matches = true;
  vi.stubGlobal('matchMedia', () => small);
  document.body.innerHTML =
    '<div id="groups"><div data-group><h3>Services</h3><ul id="a"><li><a href="/a">A</a></li></ul></div>' +
    '<div data-group><h3>Company</h3><ul id="b"><li><a href="/b" aria-current="page">B</a></li></ul></div></div>';
});
afterEach(() => vi.unstubAllGlobals());

const start = () => foldGroups(document.getElementById('groups') as HTMLElement);
const buttons = () => [...document.querySelectorAll('button')];
const hidden = () => [...document.querySelectorAll('ul')].map((list) => list.hidden);

function become(isSmall: boolean): void {
  small.matches = isSmall;
  small.dispatchEvent(new Event('change'));
}

it('groups fold on small screens, but for the one the reader is in', async () => {
  await start();
  expect(buttons().map((button) => [button.textContent, button.ariaExpanded])).toEqual([
    ['Services', 'false'],
    ['Company', 'true'],
  ]);
  expect([hidden(), buttons()[0]?.getAttribute('aria-controls')]).toEqual([[true, false], 'a']);
  buttons()[0]?.click();
  expect([hidden(), buttons()[0]?.ariaExpanded]).toEqual([[false, false], 'true']);
  buttons()[0]?.click();
  expect([hidden(), buttons()[0]?.ariaExpanded]).toEqual([[true, false], 'false']);
});

it('on a larger one they are lists with a title again', async () => {
  await start();
  const before = document.body.innerHTML;
  become(false);
  expect([buttons(), hidden()]).toEqual([[], [false, false]]);
  expect([...document.querySelectorAll('h3')].map((title) => title.innerHTML)).toEqual(['Services', 'Company']);
  become(true);
  expect(document.body.innerHTML).toBe(before);
});
