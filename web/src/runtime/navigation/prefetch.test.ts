import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announceRoute } from '../../lib/route-change.ts';
import { ownListeners } from '../../testing/own-listeners.ts';

const loader = vi.hoisted(() => ({
  prefetchPage: vi.fn<(path: string) => Promise<void>>(),
  loadPage: vi.fn(async () => ({ kind: 'page', page: { preload: ['/assets/react.js'] } })),
  isLoaded: vi.fn(() => false),
  canShowInPlace: vi.fn(() => true),
}));
vi.mock('./page-loader.ts', () => loader);
const build = vi.hoisted(() => ({ isBuildOutdated: vi.fn(() => false) }));
vi.mock('./build-check.ts', () => build);

/** The elements in sight, set by the test. */
let see: (isIntersecting: boolean, ...links: Element[]) => void;
let observed: Set<Element>;

class Observer {
  constructor(tell: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
    see = (isIntersecting, ...links) => tell(links.map((target) => ({ target, isIntersecting })));
  }
  observe(link: Element): void {
    observed.add(link);
  }
  disconnect(): void {
    observed.clear();
  }
}

const links = (): HTMLAnchorElement[] => [...document.querySelectorAll('a')];
const asked = (): string[] => loader.prefetchPage.mock.calls.map(([path]) => path);

function page(...paths: string[]): void {
  document.body.innerHTML = paths.map((path) => `<a href="${path}">A page</a>`).join('');
}

async function start(): Promise<void> {
  vi.resetModules();
  const { startPrefetch } = await import('./prefetch.ts');
  startPrefetch();
}

ownListeners(document, window);
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', Observer);
  vi.stubGlobal('requestIdleCallback', undefined);
  observed = new Set();
  loader.prefetchPage.mockReset().mockResolvedValue();
  loader.loadPage.mockClear();
  build.isBuildOutdated.mockReset().mockReturnValue(false);
  document.head.innerHTML = '';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('pages whose links are in sight', () => {
  it('are loaded four at a time, three seconds after the first link came and after each batch', async () => {
    page(...Array.from({ length: 10 }, (_, number) => `/page-${number}`));
    await start();
    see(true, ...links());
    await vi.advanceTimersByTimeAsync(2999);
    expect(asked()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(2);
    expect(asked()).toEqual(['/page-0', '/page-1', '/page-2', '/page-3']);
    await vi.advanceTimersByTimeAsync(2998);
    expect(asked()).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(10);
    expect(asked()).toHaveLength(8);
    await vi.advanceTimersByTimeAsync(3010);
    expect(asked()).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked()).toHaveLength(10);
    expect(vi.getTimerCount(), 'nothing is waited for any more').toBe(0);
  });

  it('are four at a time however they come into sight', async () => {
    page('/1', '/2', '/3', '/4', '/5', '/6');
    await start();
    see(true, ...links().slice(0, 2));
    await vi.advanceTimersByTimeAsync(1500);
    see(true, ...links().slice(2));
    await vi.advanceTimersByTimeAsync(4000);
    expect(asked()).toHaveLength(4);
  });

  it('are not asked for where they are loaded already', async () => {
    page('/1', '/2');
    loader.isLoaded.mockReturnValueOnce(true);
    await start();
    see(true, ...links());
    await vi.advanceTimersByTimeAsync(3010);
    expect(asked()).toEqual(['/2']);
  });

  it('wait for the batch before them to end', async () => {
    page('/1', '/2', '/3', '/4', '/5');
    const first = Promise.withResolvers<void>();
    loader.prefetchPage.mockReturnValueOnce(first.promise);
    await start();
    see(true, ...links());
    await vi.advanceTimersByTimeAsync(8000);
    expect(asked()).toHaveLength(4);
    first.resolve();
    await vi.advanceTimersByTimeAsync(3010);
    expect(asked()).toHaveLength(5);
  });

  it('are not held up by one that fails, nor by one that never ends', async () => {
    page('/1', '/2', '/3', '/4', '/5');
    loader.prefetchPage.mockRejectedValueOnce(new Error('broken')).mockReturnValueOnce(new Promise(() => {}));
    await start();
    see(true, ...links());
    await vi.advanceTimersByTimeAsync(3010 + 10_000 + 3010);
    expect(asked()).toEqual(['/1', '/2', '/3', '/4', '/5']);
  });

  it('are left alone once no link to them is in sight', async () => {
    page('/1', '/2', '/2');
    await start();
    see(true, ...links());
    see(false, ...links().slice(0, 2));
    await vi.advanceTimersByTimeAsync(3010);
    expect(asked()).toEqual(['/2']);
  });

  it('are those of the page that has come, after a change', async () => {
    page('/1', '/2');
    await start();
    see(true, ...links());
    page('/3');
    announceRoute({ path: '/2', title: 'Two' });
    expect([...observed]).toEqual(links());
    see(true, ...links());
    await vi.advanceTimersByTimeAsync(3010);
    expect(asked()).toEqual(['/3']);
  });

  it('may come into sight at any time: after a pause of nothing, too', async () => {
    page('/1', '/2');
    await start();
    see(true, ...links().slice(0, 1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked()).toEqual(['/1']);
    see(true, ...links().slice(1));
    await vi.advanceTimersByTimeAsync(3010);
    expect(asked()).toEqual(['/1', '/2']);
  });

  it('are left alone once out of sight, though the page before it had a link to them, too', async () => {
    page('/1');
    await start();
    see(true, ...links());
    page('/1');
    announceRoute({ path: '/2', title: 'Two' });
    see(true, ...links());
    see(false, ...links());
    await vi.advanceTimersByTimeAsync(3010);
    expect(asked()).toEqual([]);
  });

  it('are pages of this site, and not the one that is there', async () => {
    page('/', '/#offices', '/about-us', 'https://other.example/', '/media/cv.pdf', '/api/docs', 'mailto:a@b.example');
    links()[2]?.insertAdjacentHTML('afterend', '<a href="/tab" target="_blank"></a><a href="/file" download></a>');
    await start();
    expect([...observed].map((link) => link.getAttribute('href'))).toEqual(['/about-us']);
  });
});

describe('a link that is pointed at, focused or touched', () => {
  it.each(['pointerover', 'focusin', 'touchstart'])('(%s) has its page loaded at once', async (type) => {
    document.body.innerHTML = '<a href="/about-us"><b>About us</b></a>';
    await start();
    links()[0]?.addEventListener(type, (event) => event.stopPropagation()); // events that a menu stops count too
    document.querySelector('b')?.dispatchEvent(new Event(type, { bubbles: true }));
    expect(loader.loadPage).toHaveBeenCalledWith('/about-us');
    await vi.advanceTimersByTimeAsync(0);
    expect(document.querySelector('link[rel=modulepreload]'), 'nobody has come near a part of it').toBeNull();
  });

  it('to somewhere else does nothing', async () => {
    page('https://other.example/', '/#offices');
    await start();
    for (const link of links()) link.dispatchEvent(new Event('pointerover', { bubbles: true }));
    expect(loader.loadPage).not.toHaveBeenCalled();
  });
});

describe('nothing is loaded ahead', () => {
  it.each([
    ['while saving data', { userAgent: 'Chrome', connection: { saveData: true } }],
    ['on a slow line', { userAgent: 'Chrome', connection: { effectiveType: 'slow-2g' } }],
    ['for a robot', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
  ])('%s, neither what is in sight nor what is pointed at', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator);
    page('/1');
    await start();
    for (const type of ['pointerover', 'focusin', 'touchstart'])
      links()[0]?.dispatchEvent(new Event(type, { bubbles: true }));
    expect([observed.size, loader.loadPage.mock.calls]).toEqual([0, []]);
  });

  it('once the site has another build: its pages are loaded as documents', async () => {
    build.isBuildOutdated.mockReturnValue(true);
    page('/1');
    await start();
    see(true, ...links());
    links()[0]?.dispatchEvent(new Event('pointerover', { bubbles: true }));
    await vi.advanceTimersByTimeAsync(3010);
    expect([asked(), loader.loadPage.mock.calls]).toEqual([[], []]);
  });

  it('in a browser whose links load documents', async () => {
    loader.canShowInPlace.mockReturnValueOnce(false);
    page('/1');
    await start();
    expect(observed.size).toBe(0);
  });
});
