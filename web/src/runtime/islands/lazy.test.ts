import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announceRoute } from '../../lib/route-change.ts';
import { ownListeners } from '../../testing/own-listeners.ts';
import { startLazy } from './lazy.ts';

let near: (...parts: Element[]) => void;
let observed: Set<Element>;
let margin: string | undefined;

class Observer {
  constructor(
    tell: (entries: { target: Element; isIntersecting: boolean }[]) => void,
    options: { rootMargin: string },
  ) {
    margin = options.rootMargin;
    near = (...parts) => tell(parts.map((target) => ({ target, isIntersecting: true })));
  }
  observe(part: Element): void {
    observed.add(part);
  }
  disconnect(): void {
    observed.clear();
  }
}

const wake = vi.fn<(island: Element) => void>();
const woken = (): string[] => wake.mock.calls.map(([{ id }]) => id);

ownListeners(document, window);
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', Observer);
  observed = new Set();
  wake.mockReset();
  document.body.innerHTML = '<div id="lazy" data-lazy></div><div id="other"></div>';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('what is lazy', () => {
  it('wakes five seconds after load', () => {
    startLazy({ wake });
    vi.advanceTimersByTime(4999);
    expect(woken()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(woken()).toEqual(['lazy']);
  });

  it('wakes before it is seen', () => {
    startLazy({ wake });
    expect(margin).toBe('400px');
    near(...observed);
    expect(woken()).toEqual(['lazy']);
  });

  it('is that of the page that has come, after a change', () => {
    startLazy({ wake });
    vi.advanceTimersByTime(4000);
    document.body.innerHTML = '<div id="next" data-lazy></div>';
    announceRoute({ path: '/next', title: 'Next' });
    vi.advanceTimersByTime(4999);
    expect(woken()).toEqual([]);
    expect([...observed].map(({ id }) => id)).toEqual(['next']);
    vi.advanceTimersByTime(1);
    expect(woken()).toEqual(['next']);
  });

  it.each([{ saveData: true }, { effectiveType: '2g' }])('waits to be touched with %o', (connection) => {
    vi.stubGlobal('navigator', { connection });
    startLazy({ wake });
    vi.advanceTimersByTime(60_000);
    expect(woken()).toEqual([]);
    expect(observed.size).toBe(0);
  });
});
