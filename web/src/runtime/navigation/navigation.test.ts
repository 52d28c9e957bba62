/**
 * Rows of `docs/page-runtime.md`, in the words of the tests: from a click to the page that is shown, over a network that fails.
 * Browser and server are fakes, everything between them is real.
 */
import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PageData } from '../../contract/types.ts';
import { watchRoute } from '../../lib/route-change.ts';
import { FakeBrowser } from '../../testing/fake-browser.ts';
import { APP_DATA, BUILD, dataOf, FakeServer, pageData, SHARED } from '../../testing/fake-server.ts';
import { ownListeners } from '../../testing/own-listeners.ts';

const ABOUT = '/about-us';
const CLICKED = '?gclid=Cj0K&utm_source=mail';
const TARGET = `${ABOUT}${CLICKED}#principles`;
const ABOUT_DATA = dataOf(ABOUT);
const NOT_FOUND = '/404.html';
const BROKEN = '/500.html';
const OTHER_BUILD = { build: 'another-build' };

let browser: FakeBrowser;
let server: FakeServer;
let renewed: string[];
let changed: string[];

ownListeners(document, window);
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => !server.isOffline);
  vi.spyOn(Math, 'random').mockReturnValue(0.5); // pauses as long as they are on average
  const { dataset } = document.documentElement;
  dataset['build'] = BUILD;
  dataset['shared'] = SHARED;
  document.title = 'Home';
  document.body.innerHTML = `
    <header data-header><a href="/">Home</a><a href="${ABOUT}">About us</a></header>
    <main tabindex="-1"><h1>Heading of /</h1></main>
    <footer><a href="${ABOUT}">About us</a><a href="/contact-us">Contact</a></footer>
    <div data-loading-bar data-loading="Wird geladen" hidden></div>
    <p data-announcer data-arrived="Jetzt hier: {title}"></p>
    <div data-load-alert hidden>
      <button data-retry>Try again</button><a href="/">Open the page</a><button data-dismiss>Close</button>
    </div>`;
  sessionStorage.clear();
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  server = new FakeServer();
  for (const path of ['/', ABOUT, '/contact-us', '/events', NOT_FOUND, BROKEN]) server.page(path);
  renewed = [];
  changed = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The page runtime, in a document of this address. */
async function start(address = '/'): Promise<void> {
  browser = new FakeBrowser(address);
  watchRoute(({ path }) => changed.push(path));
  vi.resetModules();
  const { startNavigation } = await import('./navigation.ts');
  startNavigation({ renew: (page) => renewed.push(`${(page as PageData).path} ${browser.address}`), wake: () => {} });
  await settle();
}

/** Lets everything happen that does not wait for a clock, and two frames. */
const settle = () => vi.advanceTimersByTimeAsync(40);
const click = async (address: string) => {
  browser.click(address);
  await settle();
};
const traverse = async (by: number) => {
  browser.traverse(by);
  await settle();
};
const passPauses = () => vi.advanceTimersByTimeAsync(300 + 900 + 2700);

const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
const heading = () => find('main h1').textContent;
const isShown = (selector: string) => !find(selector).hidden;
const spoken = () => find('[data-announcer]').textContent;

function expectShown(address: string, path: string): void {
  expect([browser.address, heading()]).toEqual([address, `Heading of ${path}`]);
  expect(isShown('[data-loading-bar]'), 'the loading bar').toBe(false);
}

function expectInPlace(address: string, path: string): void {
  expectShown(address, path);
  expect(browser.documents).toEqual([]);
  expect(isShown('[data-load-alert]'), 'the alert').toBe(false);
}

function expectDocument(address: string): void {
  expect(browser.documents).toEqual([['push', address]]);
  expect([heading(), renewed]).toEqual(['Heading of /', []]);
  expect(isShown('[data-loading-bar]'), 'the loading bar').toBe(false);
}

function expectAlert(at = '/'): void {
  expectShown(at, '/');
  expect(isShown('[data-load-alert]'), 'the alert').toBe(true);
  expect(browser.documents).toEqual([]);
}

describe('page data', () => {
  it('G1: is asked for once however often the link is pressed', async () => {
    await start();
    const release = server.hold(ABOUT_DATA);
    for (let times = 0; times < 3; times += 1) await click(TARGET);
    expectShown('/', '/');
    release();
    await settle();
    expectInPlace(TARGET, ABOUT);
    expect(server.count(ABOUT_DATA)).toBe(1);
    expect(browser.entries).toEqual(['/', TARGET]);
    expect([renewed, changed]).toEqual([[`${ABOUT} ${TARGET}`], [ABOUT]]);
  });

  it('G1: of the home page is called index', async () => {
    await start(ABOUT);
    await click('/');
    expectInPlace('/', '/');
    expect(server.count('/page-data/index/page-data.json')).toBe(1);
  });

  it.each([
    ['HTML', { text: '<!doctype html><h1>Hello' }],
    ['page data that calls itself HTML', { json: pageData(ABOUT), type: 'text/html' }],
    ['HTML that calls itself JSON', { text: '<!doctype html><h1>Hello', type: 'application/json' }],
    ['no object', { json: [] }],
    ['JSON without a path', { json: { ...pageData(ABOUT), path: undefined } }],
  ])('G2: that is none (%s) is taken for 404', async (_, reply) => {
    await start();
    server.reply(ABOUT_DATA, reply);
    server.reply(`HEAD ${ABOUT}`, { status: 404 });
    await click(TARGET);
    expectInPlace(TARGET, NOT_FOUND);
    expect(server.count(ABOUT_DATA)).toBe(1);
  });

  it.each([
    ['another build', OTHER_BUILD],
    ['another frame', { shared: 'another-frame' }],
  ])('G14, G15: of %s is one document, with query and hash', async (_, own) => {
    await start();
    server.page(ABOUT, { ...own, template: 'of-tomorrow' as 'home' });
    await click(TARGET);
    expectDocument(TARGET);
    expect(browser.entries).toEqual(['/', TARGET]);
  });

  it('G14: with a template nobody knows is shown all the same', async () => {
    await start();
    server.page(ABOUT, { template: 'of-tomorrow' as 'home' });
    await click(TARGET);
    expectInPlace(TARGET, ABOUT);
  });
});

describe('a page that is missing', () => {
  it('G3: is the 404 page in place, and links lead on from it', async () => {
    await start();
    await click('/nowhere?x#y');
    expectInPlace('/nowhere?x#y', NOT_FOUND);
    expect(spoken()).toBe(`Jetzt hier: Heading of ${NOT_FOUND}`);
    await click(ABOUT);
    expectInPlace(ABOUT, ABOUT);
  });

  it.each([
    ['is not there', { status: 404 }],
    ['is of another build', { json: pageData(NOT_FOUND, OTHER_BUILD) }],
    ['is no page data', { json: {} }],
  ])('G3: is its document where the 404 page %s', async (_, reply) => {
    await start();
    server.reply(dataOf(NOT_FOUND), reply);
    await click('/nowhere?x#y');
    expectDocument('/nowhere?x#y');
    expect(server.count(dataOf(NOT_FOUND))).toBe(1);
  });

  it('G4: is its document where there is one', async () => {
    await start();
    server.reply(ABOUT_DATA, { status: 404 });
    await click(TARGET);
    expectDocument(TARGET);
    expect(server.count(`HEAD ${ABOUT}`)).toBe(1);
  });

  it('G4: is not looked for as a document where its path could be a host', async () => {
    await start();
    await click(`${browser.href}/brightmoor/about-us`);
    expectInPlace('//brightmoor/about-us', NOT_FOUND);
    expect(server.asked.filter((request) => request.startsWith('HEAD'))).toEqual([]);
  });

  it('G4: stays missing where asking for its document fails', async () => {
    await start();
    server.reply('HEAD /nowhere', { cut: 'before' });
    await click('/nowhere');
    expectInPlace('/nowhere', NOT_FOUND);
  });
});

describe('a former address', () => {
  it('is the page that it leads to, at its own address with query and hash', async () => {
    await start();
    server.reply(dataOf('/who-we-are'), { json: pageData(ABOUT) }); // `fetch` has followed the redirect
    await click(`/who-we-are${CLICKED}#principles`);
    expectInPlace(TARGET, ABOUT);
    expect(browser.entries).toEqual(['/', TARGET]);
  });

  it('that leads to another domain is a document', async () => {
    await start();
    server.reply(dataOf('/shop'), { json: { path: '/shop', html: '', build: '' } });
    await click('/shop?x#y');
    expectDocument('/shop?x#y');
    expect(server.count('HEAD /shop')).toBe(0);
  });

  it('that is gone is the 404 page in place, asked once', async () => {
    await start();
    server.reply(dataOf('/closed'), { status: 410 });
    server.reply('HEAD /closed', { status: 410 });
    await click('/closed?x#y');
    expectInPlace('/closed?x#y', NOT_FOUND);
    expect(server.count(dataOf('/closed'))).toBe(1);
  });
});

describe('a server that fails', () => {
  it('G5: with 500 is the 500 page in place, asked once; and the page itself once it is well', async () => {
    await start();
    server.reply(ABOUT_DATA, { status: 500 });
    await click(TARGET);
    expectInPlace(TARGET, BROKEN);
    expect([server.count(ABOUT_DATA), server.count(dataOf(BROKEN))]).toEqual([1, 1]);
    server.page(ABOUT);
    await click(`${ABOUT}?again`);
    expectInPlace(`${ABOUT}?again`, ABOUT);
  });

  it('G6: with 500 for the 500 page is an alert, and no loop', async () => {
    await start();
    for (const path of [ABOUT_DATA, dataOf(BROKEN)]) server.reply(path, { status: 500 });
    await click(TARGET);
    expectAlert();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([server.count(ABOUT_DATA), server.count(dataOf(BROKEN))]).toEqual([1, 1]);
  });

  it.each([
    ['503', { status: 503 }],
    ['403', { status: 403 }],
    ['502', { status: 502 }],
    ['a connection cut', { cut: 'before' as const }],
    ['a connection cut within the data', { cut: 'within' as const, json: pageData(ABOUT) }],
  ])('G7: three times (%s) and then answers is the page', async (_, failure) => {
    await start();
    server.reply(ABOUT_DATA, failure, failure, failure, { json: pageData(ABOUT) });
    await click(TARGET);
    await passPauses();
    expectInPlace(TARGET, ABOUT);
    expect(server.count(ABOUT_DATA)).toBe(4);
  });

  it('G7: four times is an alert; the page, address and history stay (G70), and another try brings the page', async () => {
    await start(`/${CLICKED}`);
    server.reply(ABOUT_DATA, { status: 503 });
    await click(TARGET);
    await passPauses();
    expectAlert(`/${CLICKED}`);
    expect(browser.entries).toEqual([`/${CLICKED}`]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.count(ABOUT_DATA)).toBe(4);
    server.page(ABOUT);
    find('[data-retry]').click();
    await settle();
    expectInPlace(TARGET, ABOUT);
  });

  it('G7: leaves the document as a way, by the link of the alert', async () => {
    await start();
    server.reply(ABOUT_DATA, { status: 503 });
    await click(TARGET);
    await passPauses();
    const link = find('[data-load-alert] a') as HTMLAnchorElement;
    expect(link.href).toBe(location.origin + TARGET);
    const pressed = new MouseEvent('click', { cancelable: true });
    link.dispatchEvent(pressed);
    expect(pressed.defaultPrevented, 'the link itself would be followed in place').toBe(true);
    expectDocument(TARGET);
  });

  it('G7: is asked again after 0.3, 0.9 and 2.7 s', async () => {
    await start();
    server.reply(ABOUT_DATA, { status: 503 });
    browser.click(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    for (const [failures, pause] of [300, 900, 2700].entries()) {
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(server.count(ABOUT_DATA)).toBe(failures + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(server.count(ABOUT_DATA)).toBe(failures + 2);
    }
  });

  it('G7: is heeded when it says when to come back', async () => {
    await start();
    server.reply(ABOUT_DATA, { status: 503, retryAfter: '4' }, { json: pageData(ABOUT) });
    browser.click(TARGET);
    await vi.advanceTimersByTimeAsync(3999);
    expect(server.count(ABOUT_DATA)).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expectInPlace(TARGET, ABOUT);
  });

  it('is one that does not answer within 15 s: the browser loads the document', async () => {
    await start();
    server.hold(ABOUT_DATA);
    browser.click(TARGET);
    await vi.advanceTimersByTimeAsync(4 * 15_000 + 3800);
    expect(server.count(ABOUT_DATA)).toBe(4);
    await vi.advanceTimersByTimeAsync(200);
    expectDocument(TARGET);
  });

  it('G13: is forgotten: the next press of the link is a new try', async () => {
    await start();
    const busy = { status: 503 };
    server.reply(ABOUT_DATA, busy, busy, busy, busy, { json: pageData(ABOUT) });
    await click(TARGET);
    await passPauses();
    expectAlert();
    await click(TARGET);
    expectInPlace(TARGET, ABOUT);
  });

  it.each([
    ['by a blocker', { cut: 'before' as const }],
    ['in the middle of the data', { cut: 'within' as const, json: pageData(ABOUT) }],
  ])('G7: whose answers are cut (%s) while the device is online is left to the browser', async (_, reply) => {
    await start();
    server.reply(ABOUT_DATA, reply);
    await click(TARGET);
    await passPauses();
    expect(server.count(ABOUT_DATA)).toBe(4);
    expectDocument(TARGET);
  });

  it('G7: whose answers are cut leaves the page to a visitor who has begun to type', async () => {
    await start();
    find('main').dispatchEvent(new Event('input', { bubbles: true }));
    server.reply(ABOUT_DATA, { cut: 'before' });
    await click(TARGET);
    await passPauses();
    expectAlert();
  });

  it('is away altogether: an alert, and the page once it is there again', async () => {
    await start(`/${CLICKED}`);
    server.isOffline = true;
    await click(TARGET);
    await passPauses();
    expectAlert(`/${CLICKED}`);
    server.isOffline = false;
    find('[data-retry]').click();
    await settle();
    expectInPlace(TARGET, ABOUT);
  });
});

describe('app data', () => {
  it.each([
    ['500', { status: 500 }, 4],
    ['404', { status: 404 }, 4],
    ['broken JSON', { text: '{', type: 'application/json' }, 1],
    ['no build', { json: {} }, 1],
    ['cut', { cut: 'before' as const }, 4],
  ])('G8, G10: that fails (%s) changes nothing: links work as ever', async (_, reply, times) => {
    server.reply(APP_DATA, reply);
    await start();
    await passPauses();
    expect(server.count(APP_DATA)).toBe(times);
    for (const path of [ABOUT, '/contact-us']) {
      await click(`${path}${CLICKED}`);
      expectInPlace(`${path}${CLICKED}`, path);
    }
  });

  it('G9: is asked for beside each page that is new', async () => {
    await start();
    expect(server.count(APP_DATA)).toBe(1);
    await click(ABOUT);
    await click('/contact-us');
    await click(ABOUT);
    expectInPlace(ABOUT, ABOUT);
    expect([server.count(APP_DATA), server.count(ABOUT_DATA)]).toEqual([3, 1]);
  });

  it('G11: is never waited for', async () => {
    await start();
    server.hold(APP_DATA);
    await click(TARGET);
    expectInPlace(TARGET, ABOUT);
  });

  it('G23: of another build makes the next page a document, without asking for its data', async () => {
    await start();
    server.reply(APP_DATA, { json: { buildHash: OTHER_BUILD.build } });
    await click('/contact-us'); // its data was still the old build's
    expectInPlace('/contact-us', '/contact-us');
    const asked = server.asked.length;
    await click(TARGET);
    expect(browser.documents).toEqual([['push', TARGET]]);
    expect(server.asked.slice(asked), 'the browser does it by itself').toEqual([]);
    expect(browser.entries).toEqual(['/', '/contact-us', TARGET]);
  });

  it('G23: heard of while the page is asked for lets that page come', async () => {
    await start();
    server.reply(APP_DATA, { json: { buildHash: OTHER_BUILD.build } });
    const release = server.hold(ABOUT_DATA);
    await click(ABOUT);
    release();
    await settle();
    expectInPlace(ABOUT, ABOUT);
  });

  it('G23: of another build, seen on the way back, is a document too', async () => {
    await start();
    await click(ABOUT);
    server.reply(APP_DATA, { json: { buildHash: OTHER_BUILD.build } });
    await click('/contact-us');
    await traverse(-2);
    expect(browser.documents).toEqual([['reload', '/']]);
  });
});

describe('going back', () => {
  it('shows the page in place, committed at once', async () => {
    await start();
    await click(ABOUT);
    await traverse(-1);
    expectInPlace('/', '/');
    await traverse(1);
    expectInPlace(ABOUT, ABOUT);
    expect(server.count(ABOUT_DATA)).toBe(1);
  });

  it.each(['', '#principles'])('G17: to what cannot be loaded (%j) is an alert; another try shows it', async (hash) => {
    await start(`/${CLICKED}${hash}`);
    await click(ABOUT);
    server.reply(dataOf('/'), { status: 503 });
    browser.traverse(-1);
    await passPauses();
    await settle();
    expect(browser.address).toBe(`/${CLICKED}${hash}`);
    expect([isShown('[data-load-alert]'), isShown('[data-loading-bar]')]).toEqual([true, false]);
    server.page('/');
    find('[data-retry]').click();
    await settle();
    expectInPlace(`/${CLICKED}${hash}`, '/');
    await traverse(1);
    expectInPlace(ABOUT, ABOUT);
  });

  it('G17: to what nobody answers for, while the device is online, is the document', async () => {
    await start();
    await click(ABOUT);
    server.reply(dataOf('/'), { cut: 'before' });
    browser.traverse(-1);
    await passPauses();
    await settle();
    expect(browser.documents).toEqual([['reload', '/']]);
  });

  it('G17: to what only the browser can load is the document', async () => {
    await start(`/${CLICKED}#how`);
    await click(ABOUT);
    server.page('/', OTHER_BUILD);
    await traverse(-1);
    expect(browser.documents).toEqual([['reload', `/${CLICKED}#how`]]);
    expect(browser.entries).toEqual([`/${CLICKED}#how`, ABOUT]);
  });

  it('G74: and forth quickly ends on the page of the address', async () => {
    await start();
    for (const path of [ABOUT, '/contact-us', '/events']) await click(path);
    for (const by of [-1, -1, 1]) browser.traverse(by);
    await settle();
    expectInPlace('/contact-us', '/contact-us');
  });

  it('to the same page as it was shown before shows it anew: its scripts see the address they had set', async () => {
    await start('/events');
    browser.pushState('/events?country=de');
    await click('/events');
    expectInPlace('/events', '/events');
    await traverse(-1);
    expectInPlace('/events?country=de', '/events');
    expect(renewed).toEqual(['/events /events', '/events /events?country=de']);
    await traverse(-1);
    expect([browser.address, renewed.length], "within the page it is the browser's").toEqual(['/events', 2]);
    await traverse(2);
    expect([browser.address, renewed.length]).toEqual(['/events', 3]);
  });

  it('over a filter and a hash of one page asks for nothing', async () => {
    await start();
    await click(ABOUT);
    browser.pushState(`${ABOUT}?kind=hub`);
    await click(`${ABOUT}?kind=hub#principles`);
    const shown = renewed.length;
    for (const by of [-1, -1, 2]) await traverse(by);
    expect([browser.address, renewed.length]).toEqual([`${ABOUT}?kind=hub#principles`, shown]);
  });

  it("to a document of its own is the browser's", async () => {
    await start();
    await click('/robots.txt');
    expect(browser.documents).toEqual([['push', '/robots.txt']]);
    await traverse(-1);
    expect(browser.documents.at(-1)).toEqual(['traverse', '/']);
  });
});

describe('the address', () => {
  it("G25: is the page's own; query and hash are the visitor's", async () => {
    await start();
    server.reply('/page-data/about-us/page-data.json', { json: pageData(ABOUT) });
    await click(`${ABOUT}/${CLICKED}#principles`);
    expectInPlace(TARGET, ABOUT);
    expect(browser.entries).toEqual(['/', TARGET]);
  });

  it('G31: that is there already is replaced', async () => {
    await start();
    await click(ABOUT);
    await click(ABOUT);
    expectInPlace(ABOUT, ABOUT);
    expect(browser.entries).toEqual(['/', ABOUT]);
  });

  it('G70: of a page that has to be a document is there once in the history', async () => {
    await start();
    server.reply(ABOUT_DATA, { status: 404 });
    await click(TARGET);
    expectDocument(TARGET);
    expect(browser.entries).toEqual(['/', TARGET]);
  });

  it('G70: that was to be replaced is replaced by the document, too', async () => {
    await start();
    server.reply(ABOUT_DATA, { status: 404 });
    browser.replace(TARGET);
    await settle();
    expect(browser.documents).toEqual([['replace', TARGET]]);
    expect(browser.entries).toEqual([TARGET]);
  });

  it('of a page that comes too late does not come back', async () => {
    await start();
    const release = server.hold(ABOUT_DATA);
    await click(ABOUT);
    await click('/contact-us');
    expectInPlace('/contact-us', '/contact-us');
    release();
    await settle();
    expectInPlace('/contact-us', '/contact-us');
    expect(browser.entries).toEqual(['/', '/contact-us']);
    expect(changed).toEqual(['/contact-us']);
  });

  it('of a page that failed too late brings no alert', async () => {
    await start();
    const release = server.hold(ABOUT_DATA);
    for (const path of [ABOUT_DATA, dataOf(BROKEN)]) server.reply(path, { status: 500 });
    await click(ABOUT);
    await click('/contact-us');
    release();
    await settle();
    expectInPlace('/contact-us', '/contact-us');
  });

  it('of a document is not loaded when another page was asked for since', async () => {
    await start();
    const release = server.hold(ABOUT_DATA);
    server.page(ABOUT, OTHER_BUILD);
    await click(ABOUT);
    await click('/contact-us');
    release();
    await settle();
    expectInPlace('/contact-us', '/contact-us');
  });
});

describe("G31: the browser's alone", () => {
  it.each([
    ['a file', '/robots.txt', {}],
    ['a download', ABOUT, { download: true }],
    ['a form that is sent', ABOUT, { post: true }],
    ['another site', 'https://other.example/about-us', {}],
  ])('is %s', async (_, address, way) => {
    await start();
    browser.click(address, way);
    await settle();
    expect([server.count(ABOUT_DATA), heading(), changed]).toEqual([0, 'Heading of /', []]);
    expect(browser.documents).toHaveLength(way && 'download' in way ? 0 : 1);
  });

  it('is a reload', async () => {
    await start();
    location.reload();
    await settle();
    expect(browser.documents).toEqual([['reload', '/']]);
  });

  it('is an anchor of the page, and the way back from it', async () => {
    await start(`${ABOUT}${CLICKED}`);
    await click(TARGET);
    await traverse(-1);
    expect([browser.address, server.count(ABOUT_DATA), browser.documents]).toEqual([`${ABOUT}${CLICKED}`, 0, []]);
    expect(renewed).toEqual([]);
  });

  it.each(['navigation', 'NavigationPrecommitController'])(
    'G18: is every link where there is no %s',
    async (missing) => {
      browser = new FakeBrowser('/');
      const { navigation } = browser;
      vi.stubGlobal(missing, undefined);
      Reflect.deleteProperty(window, missing);
      vi.resetModules();
      const { startNavigation } = await import('./navigation.ts');
      startNavigation({ renew: () => {}, wake: () => {} });
      await settle();
      browser.click(ABOUT);
      await settle();
      expect(browser.documents).toEqual([['push', ABOUT]]);
      expect(navigation).toBeDefined();
    },
  );
});

describe('while a page is on its way', () => {
  it('G30, G50, G51: nothing is seen for a second, then a bar that goes with the page', async () => {
    await start();
    const release = server.hold(ABOUT_DATA);
    browser.click(ABOUT);
    await vi.advanceTimersByTimeAsync(999);
    expect(isShown('[data-loading-bar]')).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isShown('[data-loading-bar]')).toBe(true);
    await settle();
    expect(spoken()).toBe('Wird geladen');
    release();
    await settle();
    expectInPlace(ABOUT, ABOUT);
    await vi.advanceTimersByTimeAsync(1000);
    expect(isShown('[data-loading-bar]')).toBe(false);
  });

  it('G30: another link begins the second anew', async () => {
    await start();
    for (const path of [ABOUT, '/contact-us']) server.hold(dataOf(path));
    browser.click(ABOUT);
    await vi.advanceTimersByTimeAsync(900);
    browser.click('/contact-us');
    await vi.advanceTimersByTimeAsync(900);
    expect(isShown('[data-loading-bar]')).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(isShown('[data-loading-bar]')).toBe(true);
  });

  it('an anchor of the page calls it off: no bar comes', async () => {
    await start();
    server.hold(ABOUT_DATA);
    await click(ABOUT);
    await click('/#offices');
    await vi.advanceTimersByTimeAsync(2000);
    expect(isShown('[data-loading-bar]')).toBe(false);
    expect([browser.address, heading()]).toEqual(['/#offices', 'Heading of /']);
  });

  it('the alert about the page before it goes', async () => {
    await start();
    server.reply(ABOUT_DATA, { status: 503 });
    await click(ABOUT);
    await passPauses();
    expectAlert();
    server.hold(dataOf('/contact-us'));
    await click('/contact-us');
    expect(isShown('[data-load-alert]')).toBe(false);
  });
});

describe('a page that is shown', () => {
  it('G40: is announced by its heading, to the letter and without soft hyphens', async () => {
    await start();
    server.page(ABOUT, { html: '<h1>Save $&amp; a day, $$ a year, and set\u00adtings</h1>' });
    await click(ABOUT);
    expect(spoken()).toBe('Jetzt hier: Save $& a day, $$ a year, and settings');
  });

  it('G40: without a heading is announced by its title', async () => {
    await start();
    server.page(ABOUT, { html: '<p>Text</p>' });
    await click(ABOUT);
    expect(spoken()).toBe(`Jetzt hier: Page ${ABOUT}`);
    expect(document.title).toBe(`Page ${ABOUT}`);
  });

  it('tells whoever watches, once the page stands', async () => {
    await start();
    const heard = vi.fn();
    watchRoute((route) => heard(route, heading(), browser.address));
    await click(TARGET);
    expect(heard.mock.calls).toEqual([[{ path: ABOUT, title: `Page ${ABOUT}` }, `Heading of ${ABOUT}`, TARGET]]);
  });

  it('has the focus where reading begins: at the main part, or at what the hash names', async () => {
    await start();
    await click(ABOUT);
    expect(document.activeElement).toBe(find('main'));
    await click('/contact-us#principles');
    expect(document.activeElement).toBe(find('#principles'));
    expect(find('#principles').tabIndex).toBe(-1);
  });

  it('leaves what can have the focus anyway its place in the order', async () => {
    await start();
    server.page(ABOUT, { html: '<h1>H</h1><a id="principles" href="/x">x</a>' });
    await click(TARGET);
    expect([document.activeElement?.id, find('#principles').tabIndex]).toEqual(['principles', 0]);
  });

  it.each(['#50%', '#%E0%A4%A', '#:~:text=port', '#nowhere', '#'])(
    'with a hash that names nothing (%s) begins at its top',
    async (hash) => {
      await start();
      await click(`${ABOUT}${hash}`);
      expect([heading(), document.activeElement, browser.scrolled]).toEqual([`Heading of ${ABOUT}`, find('main'), [0]]);
      expect(spoken()).toBe(`Jetzt hier: Heading of ${ABOUT}`);
    },
  );

  it('finds a name that is not ASCII', async () => {
    await start();
    server.page(ABOUT, { html: '<h1>H</h1><section id="größe"></section>' });
    await click(`${ABOUT}#größe`);
    expect(browser.scrolled).toEqual(['größe']);
  });
});

describe('G41: scroll', () => {
  const scrolledTo = (height: number) => vi.stubGlobal('scrollY', height);

  it('is kept for each page; one that is asked for begins at its top, or at its hash', async () => {
    await start();
    scrolledTo(900.4);
    await click(ABOUT);
    scrolledTo(200);
    await traverse(-1);
    await traverse(1);
    expect(browser.scrolled).toEqual([0, 900, 200]);
    await click('/contact-us');
    await click(TARGET);
    expect(browser.scrolled.slice(3)).toEqual([0, 'principles']);
  });

  it('on the way back is where the reader was, though the address has a hash', async () => {
    await start('/#principles');
    scrolledTo(900);
    await click(ABOUT);
    await traverse(-1);
    expect(browser.scrolled).toEqual([0, 900]);
    expect(document.activeElement).toBe(find('main'));
  });

  it('on the way back to an entry that this tab does not know: a hash wins, then the path', async () => {
    await start('/#principles');
    await click(ABOUT);
    sessionStorage.removeItem('scrollEntries');
    await traverse(-1);
    expect(browser.scrolled).toEqual([0, 'principles']);
  });

  it('is that of the moment in which the next page comes', async () => {
    await start();
    const release = server.hold(ABOUT_DATA);
    await click(ABOUT);
    scrolledTo(640);
    release();
    await settle();
    await traverse(-1);
    expect(browser.scrolled).toEqual([0, 640]);
  });

  it('is kept for each entry of one page', async () => {
    await start('/events');
    scrolledTo(100);
    browser.pushState('/events?country=de');
    scrolledTo(200);
    await click(ABOUT);
    scrolledTo(300);
    await click('/events');
    scrolledTo(400);
    for (const by of [-1, -1, 2]) await traverse(by);
    expect(browser.scrolled).toEqual([0, 0, 300, 200, 400]);
  });

  it('is kept over a document', async () => {
    await start(ABOUT);
    scrolledTo(700);
    dispatchEvent(new Event('pagehide'));
    expect(sessionStorage.getItem(`scroll:${ABOUT}`)).toBe('700');
  });

  it('of a path is the one of an entry that has none', async () => {
    await start(ABOUT);
    await click('/contact-us');
    sessionStorage.removeItem('scrollEntries');
    sessionStorage.setItem(`scroll:${ABOUT}`, '700');
    await traverse(-1);
    expect(browser.scrolled).toEqual([0, 700]);
  });

  it('is that of the page that is left, not of the address that is there on the way back', async () => {
    await start();
    await click(ABOUT);
    scrolledTo(300);
    await traverse(-1);
    expect(sessionStorage.getItem(`scroll:${ABOUT}`)).toBe('300');
  });
});

describe('G74: a view transition', () => {
  /** Chromium's: the change is made in a task of its own, and the transition may be skipped. */
  function transitions(skipped = false) {
    const start = vi.fn((change: () => void) => {
      expect(heading(), 'what it blends over from').toBe('Heading of /');
      const updateCallbackDone = new Promise((resolve) => setTimeout(resolve)).then(change);
      const end = () => (skipped ? Promise.reject(new DOMException('skipped', 'AbortError')) : updateCallbackDone);
      return { updateCallbackDone, ready: end(), finished: end() };
    });
    Object.assign(document, { startViewTransition: start });
    return start;
  }
  afterEach(() => void Reflect.deleteProperty(document, 'startViewTransition'));

  it.each([false, true])('shows the page (skipped: %s), and then tells of it', async (skipped) => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    const begun = transitions(skipped);
    await start();
    await click(ABOUT);
    expectInPlace(ABOUT, ABOUT);
    expect(begun).toHaveBeenCalledOnce();
    expect([spoken(), document.activeElement]).toEqual([`Jetzt hier: Heading of ${ABOUT}`, find('main')]);
  });

  it('is left out for whoever has asked for stillness', async () => {
    const asked = vi.fn(() => ({ matches: true }));
    vi.stubGlobal('matchMedia', asked);
    const begun = transitions();
    await start();
    await click(ABOUT);
    expectInPlace(ABOUT, ABOUT);
    expect(begun).not.toHaveBeenCalled();
    expect(asked).toHaveBeenCalledWith('(prefers-reduced-motion: reduce)');
  });

  it('is left out in a tab that nobody sees', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const begun = transitions();
    await start();
    await click(ABOUT);
    expectInPlace(ABOUT, ABOUT);
    expect(begun).not.toHaveBeenCalled();
  });

  it('that the browser does not know is no loss', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    await start();
    await click(ABOUT);
    expectInPlace(ABOUT, ABOUT);
  });
});

describe('G75: the frame', () => {
  it('stays the same elements, and says where one is', async () => {
    await start();
    const frame = [find('header'), find('footer')];
    for (const path of [ABOUT, '/contact-us']) {
      await click(path);
      expect([find('header'), find('footer')]).toEqual(frame);
      const current = [...document.querySelectorAll('footer [aria-current=page]')];
      expect(current.map((link) => link.getAttribute('href'))).toEqual([path]);
    }
  });
});

describe('G71: the focus the runtime sets', () => {
  it('wakes no island of the page that came', async () => {
    const load = vi.fn(async () => () => null);
    browser = new FakeBrowser('/');
    vi.resetModules();
    const [{ startNavigation }, { startPage }] = await Promise.all([
      import('./navigation.ts'),
      import('../parts/page.ts'),
    ]);
    startNavigation(startPage({ counter: load }, []));
    server.page(ABOUT, {
      html: '<h1>H</h1><section id="principles"><div id="c" data-island="counter"><button>3</button></div></section>',
      islands: [{ id: 'c', name: 'counter', props: {} }],
    });
    await click(TARGET);
    expect(document.activeElement).toBe(find('#principles'));
    expect(load).not.toHaveBeenCalled();
    find('button').focus();
    expect(load, 'a visitor does').toHaveBeenCalledOnce();
  });
});

describe('what somebody has begun to write', () => {
  it('stays, though its document is of an old build', async () => {
    server.reply(APP_DATA, { json: { buildHash: OTHER_BUILD.build } });
    const release = server.hold(APP_DATA);
    await start();
    find('main').dispatchEvent(new Event('input', { bubbles: true }));
    release();
    await settle();
    expect(browser.documents).toEqual([]);
  });

  it('stays when the next page cannot be loaded', async () => {
    await start();
    find('main').insertAdjacentHTML('beforeend', '<textarea>We need a port</textarea>');
    server.reply(ABOUT_DATA, { status: 503 });
    await click(ABOUT);
    await passPauses();
    expectAlert();
    expect((find('textarea') as HTMLTextAreaElement).value).toBe('We need a port');
  });
});

it('storage that is blocked takes nothing but the memory of scrolling', async () => {
  for (const name of ['getItem', 'setItem'] as const)
    vi.spyOn(Storage.prototype, name).mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
  await start();
  await click(ABOUT);
  await traverse(-1);
  expectInPlace('/', '/');
  expect(browser.scrolled).toEqual([0, 0]);
});
