import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { part, run as playFilm } from './play-film.part.ts';

let reduced: boolean;
let playing: ReturnType<typeof vi.fn<() => Promise<void>>>;
let left: AbortController;
let loaded: HTMLVideoElement[];
let button: HTMLButtonElement;

beforeEach(() => {
  document.body.innerHTML =
    '<section><img class="drawing" width="1200" height="960"><button hidden data-film="/media/a.webm" data-pause="Pause" data-play="Play">Pause</button></section>';
  const [found] = document.getElementsByTagName('button');
  if (!found) throw new Error('there is a button');
  button = found;
  reduced = false;
  loaded = [];
  left = new AbortController();
  playing = vi.fn(async () => {});
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  // jsdom has no media
  HTMLMediaElement.prototype.load = function load(this: HTMLVideoElement) {
    loaded.push(this);
  };
  HTMLMediaElement.prototype.play = playing;
  HTMLMediaElement.prototype.pause = vi.fn();
});
afterEach(() => {
  left.abort();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'connection');
});

/** Once its first frame is there. */
async function arrive(): Promise<void> {
  loaded[0]?.dispatchEvent(new Event('loadeddata'));
  await Promise.resolve();
  await Promise.resolve();
}

describe('a film in a hero', () => {
  it('is asked for once the page has loaded', async () => {
    expect(part.when).toBe('idle');
    await playFilm(button, left.signal);
    expect(loaded.map(({ src }) => src)).toEqual([`${location.origin}/media/a.webm`]);
  });

  it.each([
    ['motion is not wanted', () => (reduced = true)],
    ['data is saved', () => Object.assign(navigator, { connection: { saveData: true } })],
    ['the line is slow', () => Object.assign(navigator, { connection: { effectiveType: '2g' } })],
    ['the page has been left', () => left.abort()],
  ])('is never asked for where %s', async (_, arrange) => {
    arrange();
    await playFilm(button, left.signal);
    expect(loaded).toEqual([]);
    expect(button.hidden).toBe(true);
  });

  it('takes the picture’s place when its first frame is there: silent, without end, unseen by screen readers', async () => {
    await playFilm(button, left.signal);
    expect(document.querySelector('img')).not.toBeNull();
    await arrive();
    const film = document.querySelector('video');
    expect(document.querySelector('img')).toBeNull();
    expect(film).toMatchObject({ className: 'drawing', muted: true, loop: true, controls: false });
    expect(film?.getAttribute('aria-hidden')).toBe('true');
  });

  it('can be paused, and played on', async () => {
    await playFilm(button, left.signal);
    await arrive();
    expect(button.hidden).toBe(false);
    button.click();
    expect(HTMLMediaElement.prototype.pause).toHaveBeenCalledOnce();
    expect(button.textContent).toBe('Play');
    button.click();
    expect(playing).toHaveBeenCalledTimes(2);
    expect(button.textContent).toBe('Pause');
  });

  it('leaves the picture where the browser lets nothing play by itself', async () => {
    playing.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    await playFilm(button, left.signal);
    await arrive();
    expect(document.querySelector('img')).not.toBeNull();
    expect(button.hidden).toBe(true);
  });
});
