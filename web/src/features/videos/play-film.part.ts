/**
 * A film in place of a picture that is decoration: fetched once videos may be mounted, and never for who wants no motion, saves
 * data or is on a slow line. It runs only while it is seen, and the button that stands beside it ends that (WCAG 2.2.2).
 */
import { isSparing } from '../../lib/connection.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-film]', when: 'idle' };
export { playFilm as run };

/** `button`: the one that pauses, hidden until there is something to pause. `data-film` says where the film is. */
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
