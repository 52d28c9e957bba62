/** A document of another build, and one without its stylesheet: rows G20 to G23 of `docs/page-runtime.md`. */
import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { APP_DATA, BUILD, FakeServer } from '../../testing/fake-server.ts';
import { ownListeners } from '../../testing/own-listeners.ts';

const GUARD = 'buildMismatchReload';
const ANOTHER = { json: { buildHash: 'another-build' } };

let server: FakeServer;
const reload = vi.fn();
const forgotten = vi.fn();

ownListeners(document, window);
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('navigator', { serviceWorker: { controller: { postMessage: forgotten } } });
  reload.mockReset();
  forgotten.mockReset();
  sessionStorage.clear();
  document.head.innerHTML = '';
  document.body.innerHTML = '<textarea></textarea>';
  document.documentElement.dataset['build'] = BUILD;
  server = new FakeServer();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A stylesheet of the site, as the browser shows one: with so many rules, or with rules that may not be read. */
function stylesheet(rules: number | 'unreadable' | 'none', href = '/assets/style.css'): void {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.setAttribute('href', href);
  const sheet = {
    get cssRules() {
      if (rules === 'unreadable') throw new DOMException('not to be read', 'SecurityError');
      return { length: rules };
    },
  };
  Object.defineProperty(link, 'sheet', { value: rules === 'none' ? null : sheet });
  document.head.append(link);
}

/** A new document: its scripts know nothing of the one before it. */
async function load(): Promise<typeof import('./build-check.ts')> {
  vi.resetModules();
  const [buildCheck, typing] = await Promise.all([import('./build-check.ts'), import('../islands/typing.ts')]);
  typing.startTyping();
  return buildCheck;
}

async function checkDocument(): Promise<void> {
  const { checkDocument } = await load();
  const checked = checkDocument();
  await vi.advanceTimersByTimeAsync(60_000);
  await checked;
}

describe('a document', () => {
  it('of the build that is live stays', async () => {
    stylesheet(3);
    await checkDocument();
    expect(reload).not.toHaveBeenCalled();
    expect(sessionStorage.getItem(GUARD)).toBeNull();
  });

  it('G20, G21: of an old build is loaded once more, and never again for that build', async () => {
    server.reply(APP_DATA, ANOTHER);
    await checkDocument();
    expect(reload).toHaveBeenCalledOnce();
    expect(sessionStorage.getItem(GUARD)).toBe(BUILD);
    await checkDocument();
    await checkDocument();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('G21: of yet another build is loaded once more for that one', async () => {
    server.reply(APP_DATA, { json: { buildHash: 'the-build-after' } });
    await checkDocument();
    document.documentElement.dataset['build'] = 'another-build';
    await checkDocument();
    expect(reload).toHaveBeenCalledTimes(2);
    expect(sessionStorage.getItem(GUARD)).toBe('another-build');
  });

  it('of an old build has the copies of its pages forgotten first', async () => {
    server.reply(APP_DATA, ANOTHER);
    reload.mockImplementation(() => expect(forgotten).toHaveBeenCalledExactlyOnceWith({ type: 'forget-pages' }));
    await checkDocument();
    expect(reload).toHaveBeenCalledOnce();
  });

  it.each([
    ['no service worker', {}],
    ['one that does not run this page', { serviceWorker: { controller: null } }],
  ])('of an old build is loaded once more where there is %s', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator);
    server.reply(APP_DATA, ANOTHER);
    await checkDocument();
    expect(reload).toHaveBeenCalledOnce();
  });

  it.each([
    ['that is empty', 0],
    ['that did not come', 'none'],
    ['whose rules may not be read', 'unreadable'],
  ] as const)('G20: with a stylesheet %s is loaded once more', async (_, rules) => {
    stylesheet(3, '/assets/other.css');
    stylesheet(rules);
    await checkDocument();
    expect(reload).toHaveBeenCalledOnce();
    await checkDocument();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is not about the stylesheets of others', async () => {
    stylesheet('unreadable', 'https://other.example/style.css');
    await checkDocument();
    expect(reload).not.toHaveBeenCalled();
  });

  it.each([
    ['500', { status: 500 }],
    ['no connection', { cut: 'before' as const }],
    ['no build', { json: {} }],
    ['HTML', { text: '<!doctype html>' }],
  ])('is left alone where nobody can say which build is live (%s)', async (_, reply) => {
    server.reply(APP_DATA, reply);
    stylesheet(0);
    await checkDocument();
    expect(reload).not.toHaveBeenCalled();
  });

  it('G22: is left alone where nobody would know that it was tried', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    server.reply(APP_DATA, ANOTHER);
    await checkDocument();
    expect(reload).not.toHaveBeenCalled();
    expect(forgotten).not.toHaveBeenCalled();
  });

  it('in which somebody has begun to type is left alone', async () => {
    server.reply(APP_DATA, ANOTHER);
    const release = server.hold(APP_DATA);
    const { checkDocument } = await load();
    const checked = checkDocument();
    document.body.addEventListener('input', (event) => event.stopPropagation(), { once: true });
    document.querySelector('textarea')?.dispatchEvent(new Event('input', { bubbles: true }));
    release();
    await checked;
    expect(reload).not.toHaveBeenCalled();
    expect(sessionStorage.getItem(GUARD)).toBeNull();
  });
});

describe('the check', () => {
  it('says whether there was an answer, and remembers what it was', async () => {
    server.reply(APP_DATA, ANOTHER, { json: { buildHash: BUILD } }, { json: {} });
    const { checkBuild, isBuildOutdated } = await load();
    expect(isBuildOutdated()).toBe(false);
    expect([await checkBuild(), isBuildOutdated()]).toEqual([true, true]);
    // A release was reverted.
    expect([await checkBuild(), isBuildOutdated()]).toEqual([true, false]);
    expect([await checkBuild(), isBuildOutdated()]).toEqual([false, false]);
  });

  it('without an answer changes nothing', async () => {
    server.reply(APP_DATA, ANOTHER, { json: {} });
    const { checkBuild, isBuildOutdated } = await load();
    await checkBuild();
    expect([await checkBuild(), isBuildOutdated()]).toEqual([false, true]);
  });

  it('takes a document that does not say its build for another one', async () => {
    delete document.documentElement.dataset['build'];
    const { checkBuild, isBuildOutdated } = await load();
    expect([await checkBuild(), isBuildOutdated()]).toEqual([true, true]);
  });
});
