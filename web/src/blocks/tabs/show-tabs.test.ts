import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepScroll } from '../../runtime/navigation/scroll-memory.ts';
import { FakeBrowser } from '../../testing/fake-browser.ts';
import { run as showTabs } from './show-tabs.part.ts';

const scrolled = vi.fn();
let page: AbortController;

async function start(hash = ''): Promise<void> {
  history.replaceState(null, '', hash || '#'); // fires no event, as for a page that has just loaded
  await open();
}

async function open(): Promise<void> {
  document.body.innerHTML =
    '<p id="other"></p><div data-tabs="Crews" data-remembers="crew"><div id="crew-1" data-tab="Five"><h3>Five</h3></div>' +
    '<div id="crew-2" data-tab="Nine"><h3>Nine</h3><p id="on-call"></p></div></div><p id="below"></p>';
  const container = document.querySelector<HTMLElement>('[data-tabs]');
  if (!container) throw new Error('there is a list of tabs');
  await showTabs(container, page.signal);
}

const shown = () => [...document.querySelectorAll('[role=tabpanel]:not([hidden])')].map(({ id }) => id);

beforeEach(() => {
  page?.abort();
  page = new AbortController();
  scrolled.mockClear();
  Element.prototype.scrollIntoView = scrolled;
});

afterEach(() => void vi.unstubAllGlobals());

describe('the tabs of a block', () => {
  it.each([
    ['', 'crew-1', false],
    ['#crew-2', 'crew-2', true],
    ['#on-call', 'crew-2', true],
    ['#crew-1', 'crew-1', true],
    ['#other', 'crew-1', false],
    ['#below', 'crew-1', true],
    ['#%E0%A4%A', 'crew-1', false],
  ])('with %j in the address show %s', async (hash, panel, scrolls) => {
    await start(hash);
    expect(shown()).toEqual([panel]);
    await vi.waitFor(() => expect(scrolled).toHaveBeenCalledTimes(scrolls ? 2 : 0));
  });

  it('follow a link within the page, as long as it is shown', async () => {
    await start();
    location.hash = '#on-call';
    dispatchEvent(new Event('hashchange'));
    expect(shown()).toEqual(['crew-2']);
    page.abort();
    location.hash = '#crew-1';
    dispatchEvent(new Event('hashchange'));
    expect(shown()).toEqual(['crew-2']);
  });

  it('have for who comes back the text that they chose', async () => {
    await start();
    document.querySelector<HTMLElement>('#crew-2_tab')?.click();
    await open();
    expect(shown()).toEqual(['crew-2']);
    document.querySelector<HTMLElement>('#crew-1_tab')?.click();
    await open();
    expect(shown()).toEqual(['crew-1']);
  });

  it('choose what the address names for who comes back, and leave them where they were', async () => {
    const browser = new FakeBrowser('/services#on-call');
    browser.scroll(700);
    keepScroll('1', '/services');
    await open();
    expect([shown(), browser.scrolled]).toEqual([['crew-2'], [700]]);
    browser.click('/services#below');
    browser.scroll(900);
    keepScroll('2', '/services');
    dispatchEvent(new Event('hashchange'));
    expect(browser.scrolled).toEqual([700]);
  });

  it('say which text belongs to which tab, and each text can be reached', async () => {
    await start();
    const tabs = [...document.querySelectorAll<HTMLElement>('[role=tablist][aria-label=Crews] > [role=tab]')];
    expect(tabs.map((tab) => [tab.textContent, tab.getAttribute('aria-controls'), tab.tabIndex])).toEqual([
      ['Five', 'crew-1', 0],
      ['Nine', 'crew-2', -1],
    ]);
    const panels = [...document.querySelectorAll<HTMLElement>('[role=tabpanel]')];
    expect(panels.map((panel) => [panel.getAttribute('aria-labelledby'), panel.tabIndex])).toEqual([
      ['crew-1_tab', 0],
      ['crew-2_tab', 0],
    ]);
  });
});
