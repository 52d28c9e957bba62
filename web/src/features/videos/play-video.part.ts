/** Plays a video in the page at the visitor's request. Other hosts get no request before. */
import { isPlainClick } from '../../lib/plain-click.ts';
import type { Part } from '../../runtime/parts/parts.ts';
import { videosShown } from '../../runtime/parts/videos-shown.ts';

export const part: Part = { on: '[data-video]', when: 'lazy' };
export { prepareVideo as run };

const PLAYER_ATTRIBUTES = { autoplay: '1', rel: '0' };

async function prepareVideo(link: HTMLElement): Promise<void> {
  link.addEventListener('click', (event) => {
    if (!isPlainClick(event) || !(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    play(link);
  });
}

function play(link: HTMLAnchorElement): void {
  const title = link.textContent?.trim() ?? '';
  const player = link.dataset['video'] === 'own' ? makeFilm(link.href) : makeFrame(link.href, title);
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = link.dataset['close'] ?? '';
  close.autofocus = true;
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = title;
  dialog.setAttribute('data-player', 'portrait' in link.dataset ? 'portrait' : '');
  dialog.setAttribute('closedby', 'any');
  // Its dialog opens at once; a video is mounted once the page has loaded (spec §4).
  videosShown().then(() => dialog.prepend(player));
  dialog.append(close);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    link.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** A video of our own, in the browser's player. */
function makeFilm(address: string): HTMLElement {
  const film = document.createElement('video');
  film.src = address;
  film.controls = true;
  film.autoplay = true;
  film.playsInline = true;
  return film;
}

function makeFrame(href: string, title: string): HTMLElement {
  const address = new URL(href);
  for (const [name, value] of Object.entries(PLAYER_ATTRIBUTES)) address.searchParams.set(name, value);
  const frame = document.createElement('iframe');
  frame.src = address.href;
  frame.title = title;
  frame.allow = 'autoplay; fullscreen; picture-in-picture';
  frame.allowFullscreen = true;
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  return frame;
}
