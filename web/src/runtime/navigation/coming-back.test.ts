/** State that is restored for returning visitors, or once online again: `drafts`, `kept-leads`, `service-worker`. */
import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announceRoute } from '../../lib/route-change.ts';
import { ownListeners } from '../../testing/own-listeners.ts';
import { startDrafts } from '../islands/drafts.ts';
import { startKeptLeads } from '../kept-leads.ts';
import { startServiceWorker } from '../service-worker.ts';

const queue = vi.hoisted(() => ({ sendKeptLeads: vi.fn(async () => {}) }));
vi.mock('../../lib/lead-queue.ts', () => queue);

ownListeners(document, window);
beforeEach(() => {
  sessionStorage.clear();
  queue.sendKeptLeads.mockReset().mockResolvedValue();
});
afterEach(() => void vi.unstubAllGlobals());

describe('a form that was begun', () => {
  it('wakes by itself, on each page that has it; others sleep on', () => {
    const woken: string[] = [];
    sessionStorage.setItem('draft:contact', '');
    document.body.innerHTML =
      '<div id="one" data-draft="draft:contact"></div><div id="two" data-draft="draft:cv"></div>';
    startDrafts({ wake: ({ id }) => void woken.push(id) });
    expect(woken).toEqual(['one']);
    document.body.innerHTML = '<div id="three" data-draft="draft:contact"></div><div id="four" data-draft=""></div>';
    announceRoute({ path: '/contact-us', title: 'Contact' });
    expect(woken).toEqual(['one', 'three']);
  });
});

describe('what was kept while offline', () => {
  const databases = vi.fn(async () => [{ name: 'other' }, { name: 'leads' }]);
  const settle = async () => {
    await vi.dynamicImportSettled();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  beforeEach(() => {
    databases.mockClear();
    vi.stubGlobal('indexedDB', { databases });
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  });

  it('is sent after load, and whenever the visitor is online again', async () => {
    startKeptLeads();
    await settle();
    expect(queue.sendKeptLeads).toHaveBeenCalledOnce();
    dispatchEvent(new Event('online'));
    await settle();
    expect(queue.sendKeptLeads).toHaveBeenCalledTimes(2);
  });

  it('waits while there is no network', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    startKeptLeads();
    await settle();
    expect(databases).not.toHaveBeenCalled();
    expect(queue.sendKeptLeads).not.toHaveBeenCalled();
  });

  it.each([
    ['nothing was kept', async () => [{ name: 'other' }]],
    ['the browser keeps nothing', () => Promise.reject(new DOMException('blocked', 'SecurityError'))],
  ])('fetches nothing where %s', async (_, answer) => {
    databases.mockImplementationOnce(answer as typeof databases);
    startKeptLeads();
    await settle();
    expect(queue.sendKeptLeads).not.toHaveBeenCalled();
  });

  it('is still kept where it could not be sent, and the page goes on', async () => {
    const failure = new Error('offline again');
    queue.sendKeptLeads.mockRejectedValueOnce(failure);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    startKeptLeads();
    await settle();
    expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('still kept'), failure);
  });
});

describe('the service worker', () => {
  const postMessage = vi.fn();
  const register = vi.fn(async () => ({ active: { postMessage } }) as unknown as ServiceWorkerRegistration);
  beforeEach(() => {
    postMessage.mockReset();
    register.mockClear();
    vi.stubGlobal('navigator', { serviceWorker: { register } });
  });

  it('is registered, asked for anew each time, and told which pages came as data', async () => {
    await startServiceWorker();
    expect(register).toHaveBeenCalledExactlyOnceWith('/sw.js', { updateViaCache: 'none' });
    expect(postMessage).not.toHaveBeenCalled();
    announceRoute({ path: '/about-us', title: 'About us' });
    expect(postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'keep-page', path: '/about-us' });
  });

  it('is told nothing while saving data', async () => {
    vi.stubGlobal('navigator', { serviceWorker: { register }, connection: { saveData: true } });
    await startServiceWorker();
    announceRoute({ path: '/about-us', title: 'About us' });
    expect(postMessage).not.toHaveBeenCalled();
  });

  it.each([
    ['does not run yet', { serviceWorker: { register: async () => ({ active: null }) } }],
    ['is not to be had', {}],
  ])('that %s is told nothing', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator);
    await startServiceWorker();
    expect(() => announceRoute({ path: '/about-us', title: 'About us' })).not.toThrow();
  });

  it('that cannot be registered is no loss', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const failure = new Error('404');
    vi.stubGlobal('navigator', { serviceWorker: { register: () => Promise.reject(failure) } });
    await startServiceWorker();
    expect(console.warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('no service worker'), failure);
  });
});
