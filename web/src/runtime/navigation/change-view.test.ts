/** Images that move from their place on one page to their place on the next. A fake browser records the calls. */
import '../../testing/dom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changeView } from './change-view.ts';

const CARDS = `<main><ul>
  <li id="a"><a href="/a">A</a><img src="/media/a.avif"></li>
  <li id="b"><a href="/b">B</a><img src="/media/b.avif"></li>
</ul><p><a href="/a">A in the text</a></p></main>`;
const PAGE = '<main><img fetchpriority="high" src="/media/a.avif"><h1>A</h1></main>';
const LINK = '#a a';

let finish: () => void;
/** Pictures with a name, before the change and after it. */
let named: [before: string[], after: string[]];

const namedNow = () =>
  [...document.images].filter(({ style }) => style.viewTransitionName === 'cover').map((image) => image.outerHTML);

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('innerHeight', 800);
  Object.assign(document, {
    startViewTransition(change: () => void) {
      const before = namedNow();
      change();
      named = [before, namedNow()];
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { ready: Promise.resolve(), finished, updateCallbackDone: Promise.resolve() };
    },
  });
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: 100, bottom: 300 } as DOMRect);
});
afterEach(() => {
  Reflect.deleteProperty(document, 'startViewTransition');
  vi.unstubAllGlobals();
});

const change = (to: string) => () => {
  document.body.innerHTML = to;
};
const follow = (link: string, to = PAGE) =>
  changeView(change(to), { link: document.querySelector(link), from: '/', isBack: false });
const goBack = (to = CARDS, from = '/a') => changeView(change(to), { link: null, from, isBack: true });

it('is that of the card that leads to the page, for as long as it takes', async () => {
  document.body.innerHTML = CARDS;
  await follow(LINK);
  expect(named).toEqual([[expect.stringContaining('/media/a.avif')], [expect.stringContaining('fetchpriority')]]);
  finish();
  await vi.waitFor(() => expect(namedNow()).toEqual([]));
});

it.each([
  ['another picture', '#b a', PAGE],
  ['none', LINK, '<main><h1>A</h1></main>'],
  ['one that is no cover', LINK, '<main><img src="/media/a.avif"></main>'],
])('the page has %s: it stays where it is', async (_, link, to) => {
  document.body.innerHTML = CARDS;
  await follow(link, to);
  expect(named[1]).toEqual([]);
});

it.each([
  ['in the text', 'main p a', CARDS],
  ['of a menu', 'header a', `<header><ul><li><a href="/a">A</a><img src="/media/a.avif"></li></ul></header>${CARDS}`],
  ['nobody knows', '.none', CARDS],
])('no picture belongs to a link %s', async (_, link, from) => {
  document.body.innerHTML = from;
  await follow(link);
  expect(named[0]).toEqual([]);
});

it('goes back to the card it came from', async () => {
  document.body.innerHTML = PAGE;
  await goBack();
  expect(named).toEqual([[expect.stringContaining('fetchpriority')], [expect.stringContaining('src="/media/a.avif"')]]);
});

it.each([
  ['of two cards that lead to the page', CARDS.replace('/b"', '/a"'), '/a'],
  ['of another page', CARDS, '/b'],
  ['of a page without a card', CARDS, '/c'],
])('does not go back to the card %s', async (_, to, from) => {
  document.body.innerHTML = PAGE;
  await goBack(to, from);
  expect(named[1]).toEqual([]);
});

it.each([
  [-300, -100],
  [900, 1100],
])('does not go back to a card out of sight (%i to %i)', async (top, bottom) => {
  vi.mocked(Element.prototype.getBoundingClientRect).mockReturnValue({ top, bottom } as DOMRect);
  document.body.innerHTML = PAGE;
  await goBack();
  expect(named[1]).toEqual([]);
});
