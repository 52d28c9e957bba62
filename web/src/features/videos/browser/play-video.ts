/** Plays a video in the page when a visitor asks for it; until then nobody outside has heard of the visitor. */
import { whenLoaded } from '../../../runtime/loaded.ts';

const PLAYER_ATTRIBUTES = { autoplay: '1', rel: '0' };

export async function prepareVideo(link: HTMLElement): Promise<void> {
  link.addEventListener('click', (event) => {
    const wantsTab = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (wantsTab || !(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    play(link);
  });
}

function play(link: HTMLAnchorElement): void {
  const address = new URL(link.href);
  for (const [name, value] of Object.entries(PLAYER_ATTRIBUTES)) address.searchParams.set(name, value);
  const title = link.textContent?.trim() ?? '';
  const frame = document.createElement('iframe');
  frame.src = address.href;
  frame.title = title;
  frame.allow = 'autoplay; fullscreen; picture-in-picture';
  frame.allowFullscreen = true;
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = link.dataset['close'] ?? '';
  close.autofocus = true;
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = title;
  dialog.setAttribute('data-player', 'portrait' in link.dataset ? 'portrait' : '');
  dialog.setAttribute('closedby', 'any');
  // Its dialog opens at once; a video is mounted once the page has loaded (spec §4).
  whenLoaded(() => dialog.prepend(frame));
  dialog.append(close);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    link.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
