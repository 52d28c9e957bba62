/** How much of a page has been read (spec §4): the bar's width is the scroll percentage. Pure. */

/** Only whole steps of this size and the two ends are announced, because screen readers read each change aloud. */
const SPOKEN_STEP = 5;

/** 0..1; null if the page fits the window. */
export function readPart(scrollY: number, scrollHeight: number, windowHeight: number): number | null {
  const way = scrollHeight - windowHeight;
  return way > 0 ? Math.min(1, Math.max(0, scrollY / way)) : null;
}

/** The percentage to announce after `told`; null as long as there is nothing new to announce. */
export function spokenPercent(part: number, told: number): number | null {
  const percent = Math.round(part * 100);
  const isEnd = percent === 0 || percent === 100;
  return percent !== told && (isEnd || Math.abs(percent - told) >= SPOKEN_STEP) ? percent : null;
}
