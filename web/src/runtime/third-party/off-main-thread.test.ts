import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runOffMainThread, throughProxy } from './off-main-thread.ts';

const PAGE = new URL('https://brightmoor.example/services');
const TAG = { name: 'tags', src: 'https://tags.example/tag.js?id=1&x=%2F' };

describe('throughProxy', () => {
  it.each([
    ['script', TAG.src, '/__third-party-proxy?url=https%3A%2F%2Ftags.example%2Ftag.js%3Fid%3D1%26x%3D%252F'],
    ['script', '/demo/chat.js', '/demo/chat.js'],
    [
      'script',
      'https://brightmoor.example:8443/a.js',
      '/__third-party-proxy?url=https%3A%2F%2Fbrightmoor.example%3A8443%2Fa.js',
    ],
    ['fetch', 'https://tags.example/collect', 'https://tags.example/collect'],
    ['sendBeacon', 'https://tags.example/collect', 'https://tags.example/collect'],
    ['image', 'https://tags.example/pixel.gif', 'https://tags.example/pixel.gif'],
  ])('%s %s', (type, url, expected) => {
    expect(throughProxy(new URL(url, PAGE), PAGE, type).href).toBe(new URL(expected, PAGE).href);
  });

  it('needs nothing from outside: its text alone goes to the worker', () => {
    const copy = new Function(`return ${throughProxy}`)();
    expect(copy(new URL(TAG.src), PAGE, 'script').href).toBe(throughProxy(new URL(TAG.src), PAGE, 'script').href);
  });
});

describe('runOffMainThread', () => {
  beforeEach(() => {
    document.head.replaceChildren();
    delete window.partytown;
    Object.defineProperty(navigator, 'serviceWorker', { value: {}, configurable: true });
  });

  it('leaves a script that no page runs, and loads Partytown once', () => {
    const updated = vi.fn();
    addEventListener('ptupdate', updated);
    runOffMainThread(TAG);
    expect(updated).not.toHaveBeenCalled();
    runOffMainThread({ name: 'more', src: 'https://tags.example/more.js' });
    expect(updated).toHaveBeenCalledOnce();
    const scripts = [...document.querySelectorAll('script')].map(({ type, src, dataset }) => [
      type,
      src,
      dataset['deferred'],
    ]);
    expect(scripts).toEqual([
      ['text/partytown', TAG.src, 'tags'],
      ['', expect.stringMatching(/\/assets\/partytown-[^/]+\/partytown\.js$/), undefined],
      ['text/partytown', 'https://tags.example/more.js', 'more'],
    ]);
  });

  it('does nothing where there are no service workers', () => {
    Reflect.deleteProperty(navigator, 'serviceWorker');
    runOffMainThread(TAG);
    expect(document.head.childElementCount).toBe(0);
  });
});
