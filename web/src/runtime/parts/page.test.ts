/** When the parts of a page begin, and how they end with it. */
import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHUNK_RETRY_DELAY_MS } from '../../constants.ts';
import { announceRoute } from '../../lib/route-change.ts';
import { ownListeners } from '../../testing/own-listeners.ts';
import { startTyping } from '../islands/typing.ts';
import { whenLoaded, whenUsedOrLoaded } from '../loaded.ts';
import { retryOnce } from '../retry-once.ts';
import { startPage } from './page.ts';
import type { AwaitedPart, Run } from './parts.ts';

const reload = vi.fn();
const NEXT = { islands: [], preload: [] };
/** Messages between ports are a task that no fake clock has. Node handles those that were sent before this. */
const task = () => new Promise((resolve) => setImmediate(resolve));

ownListeners(document, window);
beforeEach(() => {
  vi.stubGlobal('location', { ...location, search: '', reload });
  reload.mockReset();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  document.body.innerHTML = '<header data-part></header><main><p data-part></p></main>';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const isLoading = (state: DocumentReadyState = 'interactive') =>
  vi.spyOn(document, 'readyState', 'get').mockReturnValue(state);

describe('what waits for the page to have loaded', () => {
  it('runs at once where it has', () => {
    isLoading('complete');
    const run = vi.fn();
    whenLoaded(run);
    expect(run).toHaveBeenCalledOnce();
  });

  it('runs after load, in a task of its own, once', async () => {
    isLoading();
    const run = vi.fn();
    whenLoaded(run);
    await task();
    expect(run).not.toHaveBeenCalled();
    dispatchEvent(new Event('load'));
    expect(run).not.toHaveBeenCalled();
    await task();
    dispatchEvent(new Event('load'));
    await task();
    expect(run).toHaveBeenCalledOnce();
  });

  it.each(['pointerdown', 'pointermove', 'click', 'keydown', 'focusin', 'scroll'])(
    'or for somebody who does not wait runs at %s, and not again at load',
    async (type) => {
      isLoading();
      const run = vi.fn();
      whenUsedOrLoaded(run);
      expect(run).not.toHaveBeenCalled();
      document.querySelector('p')?.dispatchEvent(new Event(type, { bubbles: type !== 'scroll' }));
      expect(run).toHaveBeenCalledOnce();
      dispatchEvent(new Event(type));
      dispatchEvent(new Event('load'));
      await task();
      expect(run).toHaveBeenCalledOnce();
    },
  );

  it.each([
    [0, 0, 0],
    [1, 0, 1],
    [0, -1, 1],
  ])('and for a pointer that moved by %i, %i runs %i times', (movementX, movementY, times) => {
    isLoading();
    const run = vi.fn();
    whenUsedOrLoaded(run);
    dispatchEvent(Object.assign(new Event('pointermove'), { movementX, movementY }));
    expect(run).toHaveBeenCalledTimes(times);
  });
});

describe('a page', () => {
  /** Notes where the part ran, and its end with the page. */
  function parts(): { awaited: AwaitedPart[]; ran: [name: string, left: AbortSignal][] } {
    const ran: [string, AbortSignal][] = [];
    const run: Run = async (element, left) => void ran.push([element.localName, left]);
    return { awaited: [['[data-part]', 'load', async () => run]], ran };
  }

  it('has its parts started once it has loaded, those of the frame with it', async () => {
    isLoading();
    const { awaited, ran } = parts();
    startPage({}, awaited);
    await task();
    expect(ran).toEqual([]);
    dispatchEvent(new Event('load'));
    await task();
    expect(ran.map(([name]) => name)).toEqual(['header', 'p']);
  });

  it('that gives way to another ends its own parts; the frame stays, and is not started again', async () => {
    isLoading('complete');
    const { awaited, ran } = parts();
    const page = startPage({}, awaited);
    await task();
    page.renew(NEXT);
    await task();
    expect(ran.map(([name, left]) => [name, left.aborted])).toEqual([
      ['header', false],
      ['p', true],
      ['p', false],
    ]);
    page.renew(NEXT);
    await task();
    expect(ran.map(([, left]) => left.aborted)).toEqual([false, true, true, false]);
  });

  it('without a main part has nothing to start', () => {
    isLoading('complete');
    const { awaited, ran } = parts();
    document.body.innerHTML = '';
    startPage({}, awaited).renew(NEXT);
    expect(ran).toEqual([]);
  });

  describe('whose code is gone', () => {
    const missing: AwaitedPart[] = [['p[data-part]', 'load', () => Promise.reject(new Error('404'))]];

    async function run(change: (page: ReturnType<typeof startPage>) => void): Promise<void> {
      isLoading('complete');
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      change(startPage({}, missing));
      await vi.advanceTimersByTimeAsync(CHUNK_RETRY_DELAY_MS);
    }

    it('is left as it was published, where its document brought it', async () => {
      await run(() => {});
      expect(reload).not.toHaveBeenCalled();
      expect(console.error).toHaveBeenCalledOnce();
    });

    it('is loaded as a document, where it came in place of another', async () => {
      await run((page) => page.renew(NEXT));
      expect(reload).toHaveBeenCalledOnce();
    });

    it('stays when somebody has begun to type', async () => {
      await run((page) => {
        startTyping();
        page.renew(NEXT);
        document.querySelector('p')?.dispatchEvent(new Event('input', { bubbles: true }));
      });
      expect(reload).not.toHaveBeenCalled();
      announceRoute({ path: '/next', title: 'Next' });
      await run((page) => page.renew(NEXT));
      expect(reload, 'what was typed went with its page').toHaveBeenCalledOnce();
    });
  });
});

describe('code that does not come', () => {
  it('is asked for once more, a second later', async () => {
    vi.useFakeTimers();
    const load = vi.fn().mockRejectedValueOnce(new Error('once')).mockResolvedValue('code');
    const loaded = retryOnce(load);
    await vi.advanceTimersByTimeAsync(999);
    expect(load).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1);
    expect(await loaded).toBe('code');
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('twice is an error', async () => {
    vi.useFakeTimers();
    const loaded = retryOnce(() => Promise.reject(new Error('gone')));
    const failed = expect(loaded).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(1000);
    await failed;
  });
});
