/**
 * What is far down a page is not laid out while it loads (`entries/visitor.ts` says so, `ui/section` does it): on a slow
 * phone that is half of the work before the first touch. Here it is caught up with, one section a frame.
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

/** At once, for whoever needs to know how high the page is. */
export function layOutAll(): void {
  document.documentElement.removeAttribute(LATER);
}
