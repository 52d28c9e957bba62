/**
 * Lower sections of a page are not laid out while it loads (set by `entries/visitor.ts`, styled by `ui/section`). On a slow
 * phone that is half of the work before the first touch. This module lays them out later, one section a frame.
 */
const LATER = 'data-lays-out-later';

export async function layOutRest(): Promise<void> {
  const parts = document.querySelectorAll<HTMLElement>('main > section, body > footer');
  for (const part of parts) {
    if (!document.documentElement.hasAttribute(LATER)) break;
    part.style.contentVisibility = 'visible';
    await new Promise(requestAnimationFrame);
  }
  layOutAll();
  for (const part of parts) part.style.contentVisibility = '';
}

/** Lays out everything at once, for code that needs the height of the page. */
export function layOutAll(): void {
  document.documentElement.removeAttribute(LATER);
}
