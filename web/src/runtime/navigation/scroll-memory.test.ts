import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KEPT_SCROLL_POSITIONS } from '../../constants.ts';
import { FakeBrowser } from '../../testing/fake-browser.ts';
import { currentKey, isBack, keepScroll, readPathScroll, readScroll, stayInPlace } from './scroll-memory.ts';

const WINDOW = 800;

let browser: FakeBrowser;
beforeEach(() => {
  sessionStorage.clear();
  browser = new FakeBrowser('/news');
});
afterEach(() => void vi.unstubAllGlobals());

/** A page of this height, scrolled to `top`. */
function stand(height: number, top: number): void {
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(height);
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(WINDOW);
  browser.scroll(top);
}

describe('positions', () => {
  it('are kept by entry and by path, and go when there are too many', () => {
    for (let entry = 0; entry <= KEPT_SCROLL_POSITIONS; entry += 1) {
      browser.scroll(entry + 0.4);
      keepScroll(`entry-${entry}`, '/news');
    }
    expect([0, 1, KEPT_SCROLL_POSITIONS].map((entry) => readScroll(`entry-${entry}`))).toEqual([
      null,
      1,
      KEPT_SCROLL_POSITIONS,
    ]);
    expect([readPathScroll('/news'), readPathScroll('/')]).toEqual([KEPT_SCROLL_POSITIONS, null]);
  });

  it('are those of paths alone where the browser does not name its entries', () => {
    vi.stubGlobal('navigation', undefined);
    browser.scroll(70);
    keepScroll(currentKey(), '/news');
    expect([isBack(), readPathScroll('/news')]).toEqual([false, 70]);
  });
});

describe('a page that grows', () => {
  it.each<[who: string, kept: number | null, height: number, top: number, scrolled: number[]]>([
    ['is new here', null, 900, 100, []],
    ['came back, and the page was too short', 2000, 900, 100, [2000]],
    ['came back to the same place', 2000, 4000, 2000, [2000]],
    ['has scrolled since', 2000, 4000, 500, []],
    ['has scrolled to the end of a page that is long enough', 200, 4000, 3200, []],
  ])('has who %s', (_, kept, height, top, scrolled) => {
    if (kept !== null) {
      browser.scroll(kept);
      keepScroll(currentKey(), '/news');
    }
    stand(height, top);
    expect(stayInPlace(() => 'grown')).toBe('grown');
    expect(browser.scrolled).toEqual(scrolled);
  });
});
