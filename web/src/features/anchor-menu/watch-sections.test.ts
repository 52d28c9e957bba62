import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run as watchSections } from './watch-sections.part.ts';

/** Distances from the top of the page, with the space above a section. The page ends before the last one comes up. */
const SECTIONS = { facts: [500, 1100], offices: [1100, 1800], clients: [1800, 2400] } as const;
const ABOVE = 112;
const LOWEST = 1500;
const root = document.documentElement;
let top: number;
let left: AbortController;

function place(element: Element | null, start: number, end: number): void {
  if (element) element.getBoundingClientRect = () => ({ top: start - top, bottom: end - top }) as DOMRect;
}

function get(selector: string): HTMLElement {
  return document.querySelector(selector) as HTMLElement;
}

async function open(hash = ''): Promise<void> {
  history.replaceState(null, '', `/about-us${hash}`);
  document.body.innerHTML =
    `<nav>${Object.keys(SECTIONS)
      .map((name) => `<a href="#${name}">${name}</a>`)
      .join('')}</nav>` +
    Object.keys(SECTIONS)
      .map((name) => `<section id="${name}"><h2>${name}</h2></section>`)
      .join('');
  for (const [name, [start, end]] of Object.entries(SECTIONS)) place(document.getElementById(name), start, end);
  get('nav').scrollBy = vi.fn<() => void>();
  await watchSections(get('nav'), left.signal);
}

const current = () =>
  [...document.querySelectorAll<HTMLAnchorElement>('[aria-current=true]')].map(({ textContent }) => textContent);

function scroll(to: number, ...events: string[]): void {
  top = to;
  for (const type of ['scroll', ...events]) dispatchEvent(new Event(type));
}

beforeEach(() => {
  vi.useFakeTimers();
  top = 0;
  left = new AbortController();
  vi.stubGlobal('scrollY', 0);
  Object.defineProperty(window, 'scrollY', { get: () => top, configurable: true });
  Object.defineProperty(root, 'scrollHeight', { value: LOWEST + 900, configurable: true });
  Object.defineProperty(root, 'clientHeight', { value: 900, configurable: true });
  root.style.scrollPaddingTop = `${ABOVE}px`;
});
afterEach(() => {
  left.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the anchor menu', () => {
  it('marks the section whose top has come within 200 pixels, and no other', async () => {
    await open();
    const seen = [299, 300, 899, 900, 1500, 0].map((to) => {
      scroll(to);
      return current();
    });
    expect(seen).toEqual([[], ['facts'], ['facts'], ['offices'], ['offices'], []]);
  });

  it('marks where an address leads, also where the page ends before', async () => {
    top = LOWEST;
    await open('#clients');
    expect(current()).toEqual(['clients']);
  });

  it('marks where a followed link leads once the page is there, until it is scrolled away', async () => {
    await open();
    get('a[href="#clients"]').click();
    scroll(700);
    expect(current()).toEqual(['facts']);
    scroll(LOWEST);
    expect(current()).toEqual(['clients']);
    scroll(LOWEST - 2);
    expect(current()).toEqual(['offices']);
  });

  it('forgets a link whose way was broken off', async () => {
    await open();
    get('a[href="#clients"]').click();
    scroll(400, 'scrollend');
    scroll(LOWEST);
    expect(current()).toEqual(['offices']);
  });

  it('takes the focus along to the heading, without scrolling for it', async () => {
    await open();
    const heading = get('#offices h2');
    const focus = vi.spyOn(heading, 'focus');
    get('a[href="#offices"]').click();
    vi.advanceTimersByTime(0);
    expect(document.activeElement).toBe(heading);
    expect(focus).toHaveBeenCalledWith({ preventScroll: true });
  });

  it('watches no longer than its page is there', async () => {
    await open();
    left.abort();
    scroll(600);
    expect(current()).toEqual([]);
  });
});
