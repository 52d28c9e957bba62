/** How much of a page has been read (spec §4): the bar's width is the scroll percentage. Pure. */

/** Screen readers read each change aloud: only whole steps of this size, and the two ends. */
const SPOKEN_STEP = 5;

/** 0..1; null where the page is no longer than the window, and there is nothing to say. */
export function readPart(scrollY: number, scrollHeight: number, windowHeight: number): number | null {
  const way = scrollHeight - windowHeight;
  return way > 0 ? Math.min(1, Math.max(0, scrollY / way)) : null;
}

/** The percentage to be told instead of `told`; null while nothing new is worth it. */
export function spokenPercent(part: number, told: number): number | null {
  const percent = Math.round(part * 100);
  const isEnd = percent === 0 || percent === 100;
  return percent !== told && (isEnd || Math.abs(percent - told) >= SPOKEN_STEP) ? percent : null;
}
