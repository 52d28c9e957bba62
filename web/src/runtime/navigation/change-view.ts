/**
 * Fades from one view to the next, if the browser can and the visitor accepts motion. An image in both views, on a card and as the
 * cover of the card's page, moves from its old place to the new one.
 */
export interface Way {
  /** The link that was followed, where the browser tells. */
  link: Element | null | undefined;
  /** Path of the page that is left. */
  from: string;
  isBack: boolean;
}

type Picture = HTMLImageElement | null | undefined;

/** Ends once `change` has been made, which waits for nothing. One that begins while another goes on ends that one. */
export async function changeView(change: () => void, { link, from, isBack }: Way): Promise<void> {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches || document.visibilityState === 'hidden';
  if (still || !document.startViewTransition) {
    change();
    return;
  }
  const before = isBack ? findCover() : pictureOf(link);
  let after: Picture;
  name(before, 'cover');
  const { ready, finished, updateCallbackDone } = document.startViewTransition(() => {
    change();
    after = isBack ? findPicture(from) : findCover();
    if (after?.src === before?.src) name(after, 'cover');
  });
  // A transition that is skipped has changed the page all the same.
  ready.catch(() => {});
  finished.catch(() => {}).then(() => name(after, ''));
  await updateCallbackDone;
}

/** In `motion.css` as well. */
function name(picture: Picture, value: string): void {
  if (picture) picture.style.viewTransitionName = value;
}

function findCover(): Picture {
  return document.querySelector<HTMLImageElement>('main img[fetchpriority=high]');
}

/** Of the card that a link in the main part stands on. */
function pictureOf(link: Element | null | undefined): Picture {
  return link?.closest('main :is(article, li)')?.querySelector('img');
}

/** Returns the visible image of the only card that links to a page. With several cards, the followed one is unknown. */
function findPicture(path: string): Picture {
  const cards = document.querySelectorAll(`main :is(article, li) a[href="${path}"]`);
  const picture = cards.length === 1 ? pictureOf(cards[0]) : null;
  const { top = 0, bottom = 0 } = picture?.getBoundingClientRect() ?? {};
  return bottom > 0 && top < innerHeight ? picture : null;
}
