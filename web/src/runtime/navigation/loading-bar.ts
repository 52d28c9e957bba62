/** Shows that a page is on its way: nothing for a second, then a bar, which its styles move on (spec §4, §9). */
import { LOADING_SHOWN_AFTER_MS } from '../../constants.ts';
import { say } from './announcer.ts';

let timer: ReturnType<typeof setTimeout> | undefined;

/** Another page is loading; the previous request has ended. */
export function startLoading(): void {
  stopLoading();
  timer = setTimeout(show, LOADING_SHOWN_AFTER_MS);
}

export function stopLoading(): void {
  clearTimeout(timer);
  bar()?.toggleAttribute('hidden', true);
}

function show(): void {
  const element = bar();
  if (!element) return;
  element.hidden = false;
  say(element.dataset['loading'] ?? '');
}

function bar(): HTMLElement | null {
  return document.querySelector('[data-loading-bar]');
}
