/** Shows that a page is on its way: nothing for a second, then a bar that moves on (spec §4, §9). */
import { LOADING_BAR_STEP_EVERY_MS, LOADING_SHOWN_AFTER_MS } from '../../constants.ts';
import { nextBarPart, START_OF_BAR } from '../../domain/loading-bar.ts';
import { say } from './announcer.ts';

let timer: ReturnType<typeof setTimeout> | undefined;

/** Another page is on its way; the one before it is not any more. */
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
  let part = START_OF_BAR;
  const step = () => {
    element.style.setProperty('--loaded', String(part));
    part = nextBarPart(part);
    timer = setTimeout(step, LOADING_BAR_STEP_EVERY_MS);
  };
  step();
}

function bar(): HTMLElement | null {
  return document.querySelector('[data-loading-bar]');
}
