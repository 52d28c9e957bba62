/** Marks the link of the section in view, and brings the reader's focus along when one is followed. */
import { type Bounds, chooseAnchor } from '../../../domain/anchors.ts';

const HEADINGS = 'h1,h2,h3';
/** Ways to scroll on one's own after a link was followed. */
const SCROLLS = ['wheel', 'touchmove', 'keydown'] as const;

export async function watchSections(menu: HTMLElement, left: AbortSignal): Promise<void> {
  const links = new Map(
    [...menu.querySelectorAll<HTMLAnchorElement>('a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  /** The section a visitor has just asked for stays marked until the page is scrolled by hand. */
  let asked: string | null = null;
  let current: string | null = null;

  function update(): void {
    const next = asked ?? chooseAnchor(measure([...links.keys()]), scrollY);
    if (next === current) return;
    if (current !== null) links.get(current)?.removeAttribute('aria-current');
    current = next;
    const link = next === null ? undefined : links.get(next);
    link?.setAttribute('aria-current', 'true');
    if (link) revealInMenu(menu, link);
  }

  for (const [anchor, link] of links)
    link.addEventListener('click', () => {
      asked = anchor;
      update();
      setTimeout(focusHeading, 0, anchor); // following the link takes the focus away once more
    });
  for (const type of SCROLLS)
    addEventListener(
      type,
      () => {
        asked = null;
      },
      { passive: true, signal: left },
    );
  addEventListener('scroll', update, { passive: true, signal: left });
  addEventListener('resize', update, { signal: left });
  update();
}

function measure(anchors: string[]): Bounds[] {
  return anchors.flatMap((anchor) => {
    const box = document.getElementById(anchor)?.getBoundingClientRect();
    return box ? [{ anchor, top: box.top + scrollY, bottom: box.bottom + scrollY }] : [];
  });
}

/** Along the menu alone: the page stays where it is. */
function revealInMenu(menu: HTMLElement, link: HTMLElement): void {
  const room = menu.getBoundingClientRect();
  const box = link.getBoundingClientRect();
  if (box.left < room.left || box.right > room.right) menu.scrollBy({ left: box.left - room.left - room.width / 3 });
}

function focusHeading(anchor: string): void {
  const section = document.getElementById(anchor);
  const heading = section?.querySelector<HTMLElement>(HEADINGS) ?? section;
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
