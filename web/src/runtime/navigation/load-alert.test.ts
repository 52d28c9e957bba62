/** Cases of the alert, the bar and the announcement that `navigation.test.ts` does not cover. */
import '../../testing/dom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { say } from './announcer.ts';
import { hideLoadAlert, showLoadAlert } from './load-alert.ts';
import { startLoading, stopLoading } from './loading-bar.ts';

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `
    <div data-loading-bar hidden></div><p data-announcer></p>
    <div data-load-alert hidden><a href="/">Open</a><button data-retry>Again</button><button data-dismiss>x</button></div>`;
});
afterEach(() => void vi.useRealTimers());

const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
const isHidden = () => document.querySelector<HTMLElement>('[data-load-alert]')?.hidden;

it('the alert can be closed, and nothing else comes of that', () => {
  const [retry, open] = [vi.fn(), vi.fn()];
  showLoadAlert('/about-us', retry, open);
  expect(isHidden()).toBe(false);
  press('[data-dismiss]');
  expect([isHidden(), retry.mock.calls, open.mock.calls]).toEqual([true, [], []]);
});

it('the alert of the second page that fails is about that one', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  showLoadAlert('/1', first, vi.fn());
  hideLoadAlert();
  showLoadAlert('/2', second, vi.fn());
  press('[data-retry]');
  expect([first.mock.calls.length, second.mock.calls.length, isHidden()]).toEqual([0, 1, true]);
});

it.each(['a', '[data-retry]', '[data-dismiss]', '[data-load-alert]'])('without its %s there is no alert', (part) => {
  document.querySelector(part)?.remove();
  showLoadAlert('/about-us', vi.fn(), vi.fn());
  hideLoadAlert();
  expect(isHidden()).not.toBe(false);
});

it('a page without a bar and a voice is loaded without them', () => {
  document.body.innerHTML = '';
  startLoading();
  vi.advanceTimersByTime(5000);
  stopLoading();
  say('Here');
  vi.advanceTimersByTime(100);
  expect(document.body.innerHTML).toBe('');
});

it('the same text is spoken again: it goes, and comes a frame later', () => {
  const spoken = document.querySelector('[data-announcer]');
  say('Here');
  expect(spoken?.textContent).toBe('');
  vi.advanceTimersByTime(20);
  expect(spoken?.textContent).toBe('Here');
  say('Here');
  expect(spoken?.textContent).toBe('');
  vi.advanceTimersByTime(20);
  expect(spoken?.textContent).toBe('Here');
});
