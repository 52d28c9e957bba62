import '../../testing/dom.ts';
import { describe, expect, it, vi } from 'vitest';
import { CHUNK_RETRY_DELAY_MS, LAZY_AFTER_LOAD_MS } from '../../constants.ts';
import { type AwaitedPart, type Run, startParts } from './parts.ts';

const HERE = new AbortController().signal;

/** Parts that are fetched at once. */
function parts(loads: Record<string, () => Promise<Run>>): AwaitedPart[] {
  return Object.entries(loads).map(([on, load]) => [on, 'load', load]);
}

describe('parts of a page', () => {
  it('are fetched where they stand in it, and only there', async () => {
    document.body.innerHTML = '<p data-one="1"></p><p data-one="2"></p>';
    const run = vi.fn(async (_: HTMLElement) => {});
    const two = vi.fn(async () => run);
    startParts(parts({ '[data-one]': async () => run, '[data-two]': two }), document, HERE);
    await vi.waitFor(() => expect(run.mock.calls.map(([element]) => element.dataset['one'])).toEqual(['1', '2']));
    expect(two).not.toHaveBeenCalled();
  });

  it('whose code does not come, asked for twice, leave the page as it is, and the others running', async () => {
    vi.useFakeTimers();
    document.body.innerHTML = '<p data-one=""></p><p data-two=""></p>';
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const run = vi.fn(async () => {});
    const missing = vi.fn(() => Promise.reject(new Error('offline')));
    const onMissing = vi.fn();
    startParts(parts({ '[data-one]': missing, '[data-two]': async () => run }), document, HERE, onMissing);
    await vi.advanceTimersByTimeAsync(CHUNK_RETRY_DELAY_MS);
    expect(missing).toHaveBeenCalledTimes(2);
    expect(onMissing).toHaveBeenCalledOnce();
    expect(error).toHaveBeenCalledOnce();
    expect(run).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });

  it('that break are told of, and are not taken for missing', async () => {
    document.body.innerHTML = '<p data-one=""></p>';
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    error.mockClear();
    const onMissing = vi.fn();
    startParts(
      parts({ '[data-one]': async () => () => Promise.reject(new Error('broken')) }),
      document,
      HERE,
      onMissing,
    );
    await vi.waitFor(() => expect(error).toHaveBeenCalledOnce());
    expect(onMissing).not.toHaveBeenCalled();
  });

  it('of the main part end with the page, and those of the frame do not', async () => {
    document.body.innerHTML = '<header data-one="frame"></header><main><p data-one="main"></p></main>';
    const page = new AbortController();
    const ends = new Map<string | undefined, AbortSignal>();
    const run = async (element: HTMLElement, left: AbortSignal) => void ends.set(element.dataset['one'], left);
    startParts(parts({ '[data-one]': async () => run }), document, page.signal);
    await vi.waitFor(() => expect(ends.size).toBe(2));
    page.abort();
    expect(ends.get('main')?.aborted).toBe(true);
    expect(ends.get('frame')?.aborted).toBe(false);
  });

  it('that wait for a touch run at once for who comes back to what they did with them', async () => {
    document.body.innerHTML = '<p data-one="1" data-remembers="list"></p><p data-one="2" data-remembers="offices"></p>';
    history.replaceState({ offices: 'hub' }, '');
    const run = vi.fn(async (_: HTMLElement) => {});
    startParts([['[data-one]', 'touch', async () => run]], document, HERE);
    await vi.waitFor(() => expect(run).toHaveBeenCalled());
    expect(run.mock.calls.map(([element]) => element.dataset['one'])).toEqual(['2']);
    history.replaceState(null, '');
  });

  it('whose code comes after the page was left do not run', async () => {
    document.body.innerHTML = '<main><p data-one=""></p></main>';
    const page = new AbortController();
    const run = vi.fn(async () => {});
    const code = Promise.withResolvers<typeof run>();
    startParts(parts({ '[data-one]': () => code.promise }), document, page.signal);
    page.abort();
    code.resolve(run);
    await code.promise;
    await Promise.resolve();
    expect(run).not.toHaveBeenCalled();
  });

  it('that are links keep a click until their code is there, and leave alone one that asks for a tab', async () => {
    document.body.innerHTML = '<a href="#away"></a>';
    const link = document.querySelector('a');
    const code = Promise.withResolvers<(element: HTMLElement) => Promise<void>>();
    const answered = vi.fn((event: Event) => event.preventDefault());
    startParts(parts({ a: () => code.promise }), document, HERE);
    const plain = new MouseEvent('click', { bubbles: true, cancelable: true });
    link?.dispatchEvent(plain);
    const forTab = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
    link?.dispatchEvent(forTab);
    expect([plain.defaultPrevented, forTab.defaultPrevented]).toEqual([true, false]);
    code.resolve(async (element) => element.addEventListener('click', answered));
    await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce());
  });

  it('that are links lead nowhere by themselves: not where nobody has clicked, nor after their page', async () => {
    for (const goes of [false, true]) {
      document.body.innerHTML = '<a href="#away"></a>';
      const link = document.querySelector('a');
      const code = Promise.withResolvers<() => Promise<void>>();
      const followed = vi.fn((event: Event) => event.preventDefault());
      const ran = vi.fn(async () => {});
      startParts(parts({ a: () => code.promise }), document, HERE);
      if (goes) link?.click();
      link?.addEventListener('click', followed);
      if (goes) link?.remove();
      code.resolve(ran);
      await vi.waitFor(() => expect(ran).toHaveBeenCalledOnce());
      await new Promise((resolve) => setTimeout(resolve));
      expect(followed).not.toHaveBeenCalled();
    }
  });

  it('keep a click on a button that only they answer, and leave the browser its own', async () => {
    document.body.innerHTML =
      '<div data-one=""><button type="button"><b>x</b></button><button type="button" popovertarget="p"></button></div>';
    const [only, own] = document.querySelectorAll('button');
    const code = Promise.withResolvers<Run>();
    const answered: (EventTarget | null)[] = [];
    startParts(parts({ '[data-one]': () => code.promise }), document, HERE);
    document.querySelector('b')?.click();
    const popover = new MouseEvent('click', { bubbles: true, cancelable: true });
    own?.dispatchEvent(popover);
    expect(popover.defaultPrevented).toBe(false);
    code.resolve(async (element) => element.addEventListener('click', ({ target }) => answered.push(target)));
    await vi.waitFor(() => expect(answered).toEqual([only]));
  });

  it('that are lazy come when they are near, or a while after load', async () => {
    vi.useFakeTimers();
    let come = () => {};
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
          come = () => tell([{ isIntersecting: true }]);
        }
        observe() {}
        disconnect() {}
      },
    );
    document.body.innerHTML = '<p data-one=""></p>';
    const load = vi.fn(async () => async () => {});
    startParts([['[data-one]', 'lazy', load]], document, HERE);
    await vi.advanceTimersByTimeAsync(LAZY_AFTER_LOAD_MS - 1);
    expect(load).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(load).toHaveBeenCalledOnce();
    startParts([['[data-one]', 'lazy', load]], document, HERE);
    come();
    await vi.advanceTimersByTimeAsync(0);
    expect(load).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});
