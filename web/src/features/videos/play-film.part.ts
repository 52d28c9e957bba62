/**
 * Plays a video in place of a decorative image. It is fetched once videos may be mounted, and never with reduced motion, data
 * saving or a slow connection. It runs only while it is visible, and the button next to it pauses it (WCAG 2.2.2).
 */
import { isSparing } from '../../lib/connection.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-film]', when: 'idle' };
export { playFilm as run };

/** `button`: pauses the video, hidden until it plays. Its `data-film` is the video's URL. */
async function playFilm(button: HTMLElement, left: AbortSignal): Promise<void> {
  const picture = button.closest('section')?.querySelector('img');
  if (left.aborted || !picture || isSparing() || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const film = document.createElement('video');
  film.muted = true;
  film.loop = true;
  film.playsInline = true;
  film.disablePictureInPicture = true;
  film.className = picture.className;
  if (picture.dataset['focus']) film.dataset['focus'] = picture.dataset['focus'];
  film.width = picture.width;
  film.height = picture.height;
  film.ariaHidden = 'true';
  film.addEventListener('loadeddata', () => start(film, picture, button, left), { once: true });
  film.preload = 'auto';
  film.src = button.dataset['film'] ?? '';
  film.load();
}

/** In the picture's place, whose first frame it shows. A browser that lets nothing play by itself keeps the picture. */
async function start(
  film: HTMLVideoElement,
  picture: HTMLImageElement,
  button: HTMLElement,
  left: AbortSignal,
): Promise<void> {
  const place = picture.closest('picture') ?? picture;
  if (left.aborted) return;
  place.replaceWith(film);
  try {
    await film.play();
  } catch {
    film.replaceWith(place);
    return;
  }
  let wanted = true;
  const follow = (seen: boolean) => {
    if (wanted && seen) film.play().catch(() => {});
    else film.pause();
  };
  const watch = new IntersectionObserver((entries) => follow(entries.at(-1)?.isIntersecting === true));
  watch.observe(film);
  left.addEventListener('abort', () => {
    watch.disconnect();
    film.pause();
  });
  const { pause = '', play = '' } = button.dataset;
  button.addEventListener('click', () => {
    wanted = !wanted;
    follow(true);
    button.textContent = wanted ? pause : play;
  });
  button.hidden = false;
}
