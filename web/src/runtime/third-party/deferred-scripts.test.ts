import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeferredScript } from '../../contract/types.ts';
import { announceChange } from '../../lib/consent.ts';
import { announceRoute } from '../../lib/route-change.ts';
import { ownListeners } from '../../testing/own-listeners.ts';
import { startDeferredScripts } from './deferred-scripts.ts';
import { loadScript, loadScripts } from './load-scripts.ts';

const worker = vi.hoisted(() => ({ runOffMainThread: vi.fn() }));
vi.mock('./off-main-thread.ts', () => worker);

const script = (name: string, purpose: DeferredScript['purpose'], withheldIn: string[] = []): DeferredScript => ({
  name,
  src: `/demo/${name}.js`,
  purpose,
  withheldIn,
  offMainThread: false,
});
const SCRIPTS = [
  script('chat', 'analytics_storage'),
  script('captcha', 'necessary'),
  script('settings', 'ad_storage', ['ua', 'by', 'ru']),
];

const { dataset } = document.documentElement;
const injected = (): (string | undefined)[] =>
  [...document.querySelectorAll<HTMLScriptElement>('script[data-deferred]')].map((each) => each.dataset['deferred']);
/** The code that injects them is fetched when something happens. */
const settle = () => vi.dynamicImportSettled();
const scroll = async () => {
  dispatchEvent(new Event('scroll'));
  await settle();
};
const change = async () => {
  announceRoute({ path: '/about-us', title: 'About us' });
  await settle();
};
const grant = (purposes: string) => {
  dataset['granted'] = purposes;
  announceChange();
};

ownListeners(document, window);
beforeEach(() => {
  document.head.innerHTML = '';
  sessionStorage.clear();
  dataset['granted'] = 'ad_storage analytics_storage';
  dataset['country'] = 'de';
  vi.stubGlobal('scrollY', 0);
});

describe('deferred scripts', () => {
  it.each([
    ['the first scroll', scroll],
    ['the first change of page', change],
  ])('come with %s, and no other comes with the next', async (_, happen) => {
    startDeferredScripts(SCRIPTS);
    expect(injected()).toEqual([]);
    expect(sessionStorage.getItem('loadedScriptsOnScroll')).toBeNull();
    await happen();
    expect(injected()).toEqual(['chat', 'captcha', 'settings']);
    expect(sessionStorage.getItem('loadedScriptsOnScroll')).toBe('true');
    await scroll();
    await change();
    expect(injected()).toHaveLength(3);
  });

  it('come at once in a session that has had them', async () => {
    sessionStorage.setItem('loadedScriptsOnScroll', 'true');
    startDeferredScripts(SCRIPTS);
    await settle();
    expect(injected()).toHaveLength(3);
    await scroll();
    expect(injected()).toHaveLength(3);
  });

  it('come at once where somebody has scrolled before', async () => {
    vi.stubGlobal('scrollY', 300);
    startDeferredScripts(SCRIPTS);
    await settle();
    expect(injected()).toHaveLength(3);
  });

  it.each(['ua', 'by', 'ru'])('leave out the settings script for a visitor from %s', async (country) => {
    dataset['country'] = country;
    startDeferredScripts(SCRIPTS);
    await scroll();
    grant('ad_storage analytics_storage');
    expect(injected()).toEqual(['chat', 'captcha']);
  });

  it('wait for leave, each for its own, and come once', async () => {
    dataset['granted'] = '';
    startDeferredScripts(SCRIPTS);
    await scroll();
    expect(injected()).toEqual(['captcha']);
    grant('ad_storage');
    expect(injected()).toEqual(['captcha', 'settings']);
    grant('');
    grant('ad_storage analytics_storage');
    expect(injected()).toEqual(['captcha', 'settings', 'chat']);
  });

  it('do not come with leave alone', async () => {
    dataset['granted'] = '';
    startDeferredScripts(SCRIPTS);
    grant('ad_storage analytics_storage');
    expect(injected()).toEqual([]);
  });

  it('are fetched without holding up the page', async () => {
    startDeferredScripts(SCRIPTS.slice(0, 1));
    await scroll();
    const element = document.querySelector<HTMLScriptElement>('script[data-deferred=chat]');
    expect([element?.async, element?.getAttribute('src')]).toEqual([true, '/demo/chat.js']);
  });

  it('come where the session cannot be kept', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    startDeferredScripts(SCRIPTS);
    await scroll();
    expect(injected()).toHaveLength(3);
  });

  it('that are none store nothing', async () => {
    startDeferredScripts([]);
    await scroll();
    expect(sessionStorage.length).toBe(0);
  });
});

describe('a script that something on the page cannot wait for', () => {
  beforeEach(() => {
    const rules = JSON.stringify({ deferredScripts: SCRIPTS });
    document.body.innerHTML = `<script type="application/json" id="_runtime">${rules}</script>`;
  });

  it('comes alone and at once, and not again with the others', async () => {
    startDeferredScripts(SCRIPTS);
    loadScript('captcha');
    expect(injected()).toEqual(['captcha']);
    await scroll();
    expect(injected()).toEqual(['captcha', 'chat', 'settings']);
  });

  it('waits for leave all the same', () => {
    dataset['granted'] = '';
    loadScript('chat');
    expect(injected()).toEqual([]);
  });
});

describe('a deferred script', () => {
  it('for a worker runs there, and nowhere else', async () => {
    const chat = { ...script('chat', 'analytics_storage'), offMainThread: true };
    loadScripts([chat]);
    await settle();
    expect([worker.runOffMainThread.mock.calls, injected()]).toEqual([[[chat]], []]);
  });

  it('that a worker cannot run does not run at all', async () => {
    const failure = new Error('no worker');
    worker.runOffMainThread.mockImplementation(() => {
      throw failure;
    });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    loadScripts([{ ...script('chat', 'analytics_storage'), offMainThread: true }]);
    await settle();
    expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('chat'), failure);
    expect(injected()).toEqual([]);
  });
});
