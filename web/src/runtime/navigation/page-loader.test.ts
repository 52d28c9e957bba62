/** The cache of loaded pages, and prefetch. The results of each answer: `navigation.test.ts`. */
import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LOADED_PAGE_KEPT_MS, LOADED_PAGES_KEPT } from '../../constants.ts';
import { BUILD, dataOf, FakeServer, pageData, SHARED } from '../../testing/fake-server.ts';

const ABOUT = '/about-us';

let server: FakeServer;
let loader: typeof import('./page-loader.ts');

beforeEach(async () => {
  vi.useFakeTimers();
  const { dataset } = document.documentElement;
  dataset['build'] = BUILD;
  dataset['shared'] = SHARED;
  server = new FakeServer();
  server.page(ABOUT);
  server.page('/404.html');
  server.page('/500.html');
  vi.resetModules();
  loader = await import('./page-loader.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a page that was loaded', () => {
  it('is kept for five minutes, and no longer', async () => {
    expect(loader.isLoaded(ABOUT)).toBe(false);
    const first = await loader.loadPage(ABOUT);
    expect(first).toEqual({ kind: 'page', page: pageData(ABOUT) });
    vi.advanceTimersByTime(LOADED_PAGE_KEPT_MS - 1);
    expect(loader.isLoaded(ABOUT)).toBe(true);
    expect(await loader.loadPage(ABOUT)).toBe(first);
    vi.advanceTimersByTime(1);
    expect(loader.isLoaded(ABOUT)).toBe(false);
    await loader.loadPage(ABOUT);
    expect(server.count(dataOf(ABOUT))).toBe(2);
  });

  it('is asked for once while it is under way', async () => {
    const release = server.hold(dataOf(ABOUT));
    const [one, two] = [loader.loadPage(ABOUT), loader.loadPage(ABOUT)];
    expect(one).toBe(two);
    expect(loader.isLoaded(ABOUT)).toBe(true);
    release();
    await one;
    expect(server.count(dataOf(ABOUT))).toBe(1);
  });

  it.each([
    ['not-found', { status: 404 }, '/nowhere', 1],
    ['server-error', { status: 500 }, ABOUT, 1],
    ['document', { json: pageData(ABOUT, { build: 'another' }) }, ABOUT, 1],
    ['failed', { status: 503 }, ABOUT, 4],
    ['document', { cut: 'before' as const }, ABOUT, 4],
  ])('is not kept where it was none (%s)', async (kind, reply, path, tries) => {
    server.reply(dataOf(path), reply);
    for (const asked of [tries, 2 * tries]) {
      const loading = loader.loadPage(path);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await loading).toMatchObject({ kind });
      expect(loader.isLoaded(path)).toBe(false);
      expect(server.count(dataOf(path))).toBe(asked);
    }
  });

  it('goes when too many are kept, those first that were used longest ago', async () => {
    const paths = Array.from({ length: LOADED_PAGES_KEPT }, (_, index) => `/news/${index}`);
    const [first = '', second = '', ...others] = paths;
    for (const path of [ABOUT, ...paths]) server.page(path);
    await loader.loadPage(first);
    await loader.prefetchPage(second);
    await loader.prefetchPage(ABOUT);
    for (const path of others.slice(1)) await loader.loadPage(path);
    await loader.loadPage(first); // used again
    await loader.loadPage(others[0] ?? '');
    expect([first, second, ABOUT, ...others].filter((path) => !loader.isLoaded(path))).toEqual([second]);
    await loader.prefetchPage(second);
    expect([first, second, ABOUT, ...others].filter((path) => !loader.isLoaded(path))).toEqual([ABOUT]);
  });

  it.each([
    [false, 'failed'],
    [true, 'document'],
  ])('that nobody answers for has failed while the device is offline (online: %s)', async (isOnline, kind) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
    server.reply(dataOf(ABOUT), { cut: 'before' });
    const loading = loader.loadPage(ABOUT);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await loading).toEqual({ kind });
  });

  it('has failed where it answers 500 and the page for that does, too', async () => {
    for (const path of [ABOUT, '/500.html']) server.reply(dataOf(path), { status: 500 });
    expect(await loader.loadPage(ABOUT)).toEqual({ kind: 'failed' });
  });
});

describe('a page that is loaded ahead', () => {
  it('is shown without asking', async () => {
    await loader.prefetchPage(ABOUT);
    expect(loader.isLoaded(ABOUT)).toBe(true);
    expect(await loader.loadPage(ABOUT)).toMatchObject({ kind: 'page', page: { path: ABOUT } });
    await loader.prefetchPage(ABOUT);
    expect(server.count(dataOf(ABOUT))).toBe(1);
    vi.advanceTimersByTime(LOADED_PAGE_KEPT_MS);
    expect(loader.isLoaded(ABOUT)).toBe(false);
  });

  it('of another build is known to be a document', async () => {
    server.page(ABOUT, { build: 'another' });
    await loader.prefetchPage(ABOUT);
    expect(await loader.loadPage(ABOUT)).toEqual({ kind: 'document' });
    expect(server.count(dataOf(ABOUT))).toBe(1);
  });

  it.each([
    ['503', { status: 503 }],
    ['500', { status: 500 }],
    ['404', { status: 404 }],
    ['503 with page data', { status: 503, json: pageData(ABOUT) }],
    ['no connection', { cut: 'before' as const }],
    ['no page data', { json: {} }],
  ])('is not fought for: one try (%s), and nothing is remembered of it', async (_, reply) => {
    server.reply(dataOf(ABOUT), reply);
    await loader.prefetchPage(ABOUT);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked).toEqual([`GET ${dataOf(ABOUT)}`]);
    expect(loader.isLoaded(ABOUT)).toBe(false);
  });

  it('leaves one that was asked for meanwhile', async () => {
    const release = server.hold(dataOf(ABOUT));
    const ahead = loader.prefetchPage(ABOUT);
    const wanted = loader.loadPage(ABOUT);
    release();
    await ahead;
    expect(loader.loadPage(ABOUT)).toBe(wanted);
    expect(server.count(dataOf(ABOUT))).toBe(1);
  });
});
