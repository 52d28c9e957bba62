/** Marks the link of the section in view, and moves the focus to the section when a link is followed. */
import { type Bounds, chooseAnchor, type Followed, followOn } from '../../domain/anchors.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-anchor-menu]', when: 'load' };
export { watchSections as run };

const HEADINGS = 'h1,h2,h3';

async function watchSections(menu: HTMLElement, left: AbortSignal): Promise<void> {
  const links = new Map([...menu.querySelectorAll('a')].map((link) => [nameOf(link.hash), link]));
  let followed: Followed | null = null;
  let current: string | null = null;

  function update(hasEnded = false): void {
    if (followed) followed = followOn(followed, measureDistance(followed.anchor), hasEnded);
    mark(followed?.hasArrived ? followed.anchor : chooseAnchor(measure([...links.keys()]), scrollY));
  }

  function mark(next: string | null): void {
    if (next === current) return;
    if (current !== null) links.get(current)?.removeAttribute('aria-current');
    current = next;
    const link = next === null ? undefined : links.get(next);
    link?.setAttribute('aria-current', 'true');
    if (link) revealInMenu(menu, link);
  }

  function follow(anchor: string): void {
    if (links.has(anchor)) followed = { anchor, hasArrived: false };
    update();
  }

  for (const [anchor, link] of links)
    link.addEventListener('click', () => {
      follow(anchor);
      setTimeout(focusHeading, 0, anchor); // following the link takes the focus away once more
    });
  addEventListener('hashchange', () => follow(nameOf(location.hash)), { signal: left });
  addEventListener('scroll', () => update(), { passive: true, signal: left });
  addEventListener('scrollend', () => update(true), { signal: left });
  addEventListener('resize', () => update(), { signal: left });
  follow(nameOf(location.hash));
}

function measure(anchors: string[]): Bounds[] {
  return anchors.flatMap((anchor) => {
    const box = document.getElementById(anchor)?.getBoundingClientRect();
    return box ? [{ anchor, top: box.top + scrollY, bottom: box.bottom + scrollY }] : [];
  });
}

/** How far the page is from where a link to the section leads. */
function measureDistance(anchor: string): number {
  const section = document.getElementById(anchor);
  if (!section) return Number.POSITIVE_INFINITY;
  const root = document.documentElement;
  const above = px(getComputedStyle(root).scrollPaddingTop) + px(getComputedStyle(section).scrollMarginTop);
  const lowest = root.scrollHeight - root.clientHeight;
  const landing = scrollY + section.getBoundingClientRect().top - above;
  return scrollY - Math.min(Math.max(landing, 0), lowest);
}

function px(length: string): number {
  return Number.parseFloat(length) || 0; // `auto`
}

/** Anchors are of small letters, digits and hyphens, so that nothing in them is encoded. */
function nameOf(hash: string): string {
  return hash.slice(1);
}

/** Scrolls only the menu, not the page. */
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
