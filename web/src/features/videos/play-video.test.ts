import '../../testing/dom.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { run as prepareVideo } from './play-video.part.ts';

let link: HTMLAnchorElement;

beforeEach(async () => {
  document.documentElement.setAttribute('data-show-video', '');
  document.body.innerHTML =
    '<a href="https://www.youtube-nocookie.com/embed/demo-000001" data-video="demo-000001" data-close="Close">A berth plan</a>';
  const found = document.querySelector('a');
  if (!found) throw new Error('there is a link');
  link = found;
  // jsdom knows dialogs by name only
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
  await prepareVideo(link);
});

function click(more: MouseEventInit = {}): boolean {
  return link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...more }));
}

describe('a video', () => {
  it('asks nobody for anything before it is wanted', () => {
    expect(document.querySelector('iframe')).toBeNull();
  });

  it('plays in a dialog that says what it is', async () => {
    expect(click()).toBe(false);
    await Promise.resolve();
    const frame = document.querySelector('iframe');
    expect(frame?.src).toBe('https://www.youtube-nocookie.com/embed/demo-000001?autoplay=1&rel=0');
    expect(frame?.title).toBe('A berth plan');
    expect(document.querySelector('dialog')?.ariaLabel).toBe('A berth plan');
  });

  it('is not mounted before videos are shown', async () => {
    document.documentElement.removeAttribute('data-show-video');
    click();
    await Promise.resolve();
    expect(document.querySelector('dialog')?.open).toBe(true);
    expect(document.querySelector('iframe')).toBeNull();
  });

  it('of our own plays from our own site, in the browser’s player', async () => {
    link.href = '/media/documents/1/film.webm';
    link.dataset['video'] = 'own';
    click();
    await Promise.resolve();
    expect(document.querySelector('iframe')).toBeNull();
    expect(document.querySelector('dialog > video')).toMatchObject({ src: link.href, controls: true, autoplay: true });
  });

  it.each(['', 'portrait'])('has a player of its own format: %s', (format) => {
    if (format) link.dataset['portrait'] = '';
    click();
    expect(document.querySelector('dialog')?.dataset['player']).toBe(format);
  });

  it('ends with the dialog, and the focus goes back', () => {
    click();
    document.querySelector('button')?.click();
    expect(document.querySelector('dialog, iframe')).toBeNull();
    expect(document.activeElement).toBe(link);
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])(
    'opens in a tab with %o',
    (how) => {
      expect(click(how)).toBe(true);
      expect(document.querySelector('iframe')).toBeNull();
    },
  );
});
