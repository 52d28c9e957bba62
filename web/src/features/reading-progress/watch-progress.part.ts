/** Draws how much has been read, where the browser does not by itself, and announces it less often. */
import { PROGRESS_TOLD_EVERY_MS } from '../../constants.ts';
import { readPart, spokenPercent } from '../../domain/reading-progress.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-reading-progress]', when: 'load' };
export { watchProgress as run };

async function watchProgress(track: HTMLElement, left: AbortSignal): Promise<void> {
  const bar = 'ScrollTimeline' in window ? null : track.firstElementChild;
  let told = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let later: ReturnType<typeof setTimeout> | undefined;

  function update(): void {
    const part = readPart(scrollY, document.documentElement.scrollHeight, innerHeight);
    track.hidden = part === null;
    if (part === null) return;
    if (bar instanceof HTMLElement) bar.style.setProperty('--read', String(part));
    clearTimeout(later);
    const wait = toldAt + PROGRESS_TOLD_EVERY_MS - performance.now();
    if (wait <= 0) tell(part);
    else later = setTimeout(tell, wait, part);
  }

  function tell(part: number): void {
    const percent = spokenPercent(part, told);
    if (percent === null) return;
    told = percent;
    toldAt = performance.now();
    track.setAttribute('aria-valuenow', String(percent));
  }

  addEventListener('scroll', update, { passive: true, signal: left });
  addEventListener('resize', update, { signal: left });
  // The page may grow without scrolling: a picture loads, an answer opens, a section is laid out.
  const height = new ResizeObserver(update);
  height.observe(document.body);
  left.addEventListener('abort', () => {
    clearTimeout(later);
    height.disconnect();
  });
  update();
}
