import '../../testing/dom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PROGRESS_TOLD_EVERY_MS } from '../../constants.ts';
import { run as watchProgress } from './watch-progress.part.ts';

let top: number;
let height: number;
/** As the browser does when the page has become higher. */
let grow: () => void;
let left: AbortController;
let track: HTMLElement;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [top, height, left] = [0, 2900, new AbortController()];
  Object.defineProperty(window, 'scrollY', { get: () => top, configurable: true });
  Object.defineProperty(document.documentElement, 'scrollHeight', { get: () => height, configurable: true });
  vi.stubGlobal('innerHeight', 900);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(tell: () => void) {
        grow = tell;
      }
      observe() {}
      disconnect() {
        grow = () => {};
      }
    },
  );
  document.body.innerHTML = '<div role="progressbar" aria-valuenow="0" hidden><div></div></div>';
  track = document.body.firstElementChild as HTMLElement;
  await watchProgress(track, left.signal);
});
afterEach(() => {
  left.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const drawn = () => (track.firstElementChild as HTMLElement).style.getPropertyValue('--read');
const told = () => track.getAttribute('aria-valuenow');

function scroll(to: number): void {
  top = to;
  dispatchEvent(new Event('scroll'));
}

it('draws each step at once, and tells them at most every half second', () => {
  expect([track.hidden, drawn(), told()]).toEqual([false, '0', '0']);
  scroll(1000);
  expect([drawn(), told()]).toEqual(['0.5', '50']);
  scroll(1500);
  expect([drawn(), told()]).toEqual(['0.75', '50']);
  vi.advanceTimersByTime(PROGRESS_TOLD_EVERY_MS - 1);
  expect(told()).toBe('50');
  vi.advanceTimersByTime(1);
  expect(told()).toBe('75');
  vi.advanceTimersByTime(PROGRESS_TOLD_EVERY_MS);
  scroll(2000);
  expect([drawn(), told()]).toEqual(['1', '100']);
});

it('follows a page that grows, and is not there on one that fits into the window', () => {
  scroll(1000);
  height = 4900;
  grow();
  expect(drawn()).toBe('0.25');
  height = 900;
  grow();
  expect(track.hidden).toBe(true);
});

it('ends with its page', () => {
  scroll(1000);
  scroll(1500);
  left.abort();
  vi.advanceTimersByTime(PROGRESS_TOLD_EVERY_MS);
  scroll(2000);
  expect([drawn(), told()]).toEqual(['0.75', '50']);
});
