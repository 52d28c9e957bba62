/** Code that waits for the visitor or for the page: `touched`, `videos-shown`, `pointer`, `find-pointer`. */
import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownListeners } from '../../testing/own-listeners.ts';
import { showVideos } from './show-video.ts';
import { touched } from './touched.ts';
import { videosShown } from './videos-shown.ts';

const root = document.documentElement;
const find = (selector: string) => document.querySelector(selector) as HTMLElement;

ownListeners(document, window);
beforeEach(() => {
  document.body.innerHTML =
    '<header><button>x</button></header><main><section id="one"></section><section id="two"></section></main><footer></footer>';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Whether it is resolved by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, 0, false))]);
}

describe('an element', () => {
  it.each(['pointerover', 'focusin', 'click'])('is touched by a %s of what is in it', async (type) => {
    const wait = touched(find('header'));
    expect(await isDone(wait)).toBe(false);
    find('main').dispatchEvent(new Event(type, { bubbles: true }));
    expect(await isDone(wait)).toBe(false);
    find('button').dispatchEvent(new Event(type));
    expect(await isDone(wait)).toBe(true);
  });

  it('is touched where the focus is in it already', async () => {
    find('button').focus();
    expect(await isDone(touched(find('header')))).toBe(true);
  });
});

describe('videos', () => {
  afterEach(() => root.removeAttribute('data-show-video'));

  it('may be mounted from load on', async () => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    showVideos();
    const shown = videosShown();
    expect(await isDone(shown)).toBe(false);
    root.setAttribute('data-other', '');
    expect(await isDone(shown)).toBe(false);
    dispatchEvent(new Event('load'));
    await vi.waitFor(() => expect(root.getAttribute('data-show-video')).toBe(''));
    expect(await isDone(shown)).toBe(true);
    expect(await isDone(videosShown())).toBe(true);
  });
});

describe('the pointer', () => {
  async function load() {
    vi.resetModules();
    return { ...(await import('./pointer.ts')), ...(await import('./find-pointer.ts')) };
  }
  /** jsdom has no pointer: the test sets the element under it. */
  const hover = (...elements: Element[]) => {
    const all = document.querySelectorAll.bind(document);
    vi.spyOn(document, 'querySelectorAll').mockImplementation(
      (selector: string) => (selector === ':hover' ? elements : all(selector)) as unknown as NodeListOf<Element>,
    );
  };
  const come = (pointerType: string) =>
    find('button').dispatchEvent(Object.assign(new Event('pointerover'), { pointerType }));

  it.each([
    ['mouse', true],
    ['touch', false],
  ])('that came as %s is found, with the time it came', async (type, isMouse) => {
    const { rememberPointer, findPointer, lastPointer } = await load();
    rememberPointer();
    vi.spyOn(performance, 'now').mockReturnValueOnce(120).mockReturnValue(900);
    come(type);
    hover(root, document.body, find('button'));
    expect(findPointer()).toEqual({ over: find('button'), since: 120, isMouse });
    expect(lastPointer()).toEqual({ target: find('button'), pointerType: type, at: 120 });
  });

  it.each([true, false])('that has lain there since before any script came just now (a mouse: %s)', async (isMouse) => {
    const { findPointer } = await load();
    const asked = vi.fn(() => ({ matches: isMouse }));
    vi.stubGlobal('matchMedia', asked);
    vi.spyOn(performance, 'now').mockReturnValue(900);
    hover(root, find('header'));
    expect(findPointer()).toEqual({ over: find('header'), since: 900, isMouse });
    expect(asked).toHaveBeenCalledWith('(hover: hover)');
  });

  it('that is over nothing is none', async () => {
    const { rememberPointer, findPointer } = await load();
    rememberPointer();
    come('mouse');
    hover();
    expect(findPointer()).toBeNull();
  });
});
