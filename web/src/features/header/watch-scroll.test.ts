import '../../testing/dom.ts';
import { expect, it, vi } from 'vitest';
import { run as watchScroll } from './watch-scroll.part.ts';

it('the header is fixed past 20 pixels, also where the page is scrolled already', async () => {
  vi.stubGlobal('scrollY', 400);
  const header = document.createElement('header');
  await watchScroll(header);
  const seen = [header.hasAttribute('data-fixed')];
  for (const top of [20, 21, 600, 20, 0]) {
    vi.stubGlobal('scrollY', top);
    dispatchEvent(new Event('scroll'));
    seen.push(header.hasAttribute('data-fixed'));
  }
  expect(seen).toEqual([true, false, true, true, false, false]);
});
