import '../testing/dom.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { layOutAll, layOutRest } from './lay-out.ts';

const root = document.documentElement;
const parts = () => [...document.querySelectorAll<HTMLElement>('section, footer')];
const laidOut = () => parts().map(({ style }) => style.contentVisibility === 'visible');
/** The frames that are waited for. */
let frames: (() => void)[];

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  document.body.innerHTML = '<main><section></section><section></section></main><footer></footer>';
  root.setAttribute('data-lays-out-later', '');
});

async function nextFrame(): Promise<void> {
  frames.shift()?.();
  await Promise.resolve();
}

it('lays out one section a frame, and leaves no trace', async () => {
  const done = layOutRest();
  expect(laidOut()).toEqual([true, false, false]);
  await nextFrame();
  expect(laidOut()).toEqual([true, true, false]);
  await nextFrame();
  expect([laidOut(), root.hasAttribute('data-lays-out-later')]).toEqual([[true, true, true], true]);
  await nextFrame();
  await done;
  expect(root.hasAttribute('data-lays-out-later')).toBe(false);
  expect(parts().map((part) => part.getAttribute('style') ?? '')).toEqual(['', '', '']);
});

it('stops where somebody needs the whole page at once', async () => {
  const done = layOutRest();
  layOutAll();
  await nextFrame();
  await done;
  expect([frames, root.hasAttribute('data-lays-out-later'), laidOut()]).toEqual([[], false, [false, false, false]]);
});
