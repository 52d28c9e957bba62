import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { run as showTabs } from './show-tabs.part.ts';

const scrolled = vi.fn();
let page: AbortController;

async function start(hash = ''): Promise<void> {
  history.replaceState(null, '', hash || '#'); // tells nobody, as the address of a page that has just come
  document.body.innerHTML =
    '<p id="other"></p><div data-tabs="Crews"><div id="crew-1" data-tab="Five"><h3>Five</h3></div>' +
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
