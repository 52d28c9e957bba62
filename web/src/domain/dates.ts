/** Dates as visitors read them. All are days without a time, `2026-03-01` on the wire. */
import { remember } from './remember.ts';

/**
 * A day of each month as text, with `{d}` and `{y}` for day and year: `{d} March {y}`.
 *
 * The server prints them, islands get them as a prop: browsers lack some of our languages (Chromium 156 writes
 * `2026 M03 1` for Azerbaijani), and the two sides must write the same.
 */
export type DatePatterns = readonly string[];

/** Placeholder values that cannot be confused with a month's name or another part of a date. */
const DAY = '11';
const YEAR = '2222';

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);

export function buildDatePatterns(locale: string): DatePatterns {
  const format = longFormat(locale);
  return MONTHS.map((month) =>
    format
      .format(readDay(`${YEAR}-${month}-${DAY}`))
      .replace(DAY, '{d}')
      .replace(YEAR, '{y}'),
  );
}

export function printDate(date: string, patterns: DatePatterns): string {
  const { year, month, day } = split(date);
  return (patterns[month - 1] ?? date).replace('{d}', String(day)).replace('{y}', String(year));
}

/** `1–3 March 2026`; one date where it starts and ends on one day. Not for the browser: see `DatePatterns`. */
export function printDays(start: string, end: string, locale: string): string {
  const format = longFormat(locale);
  // A range of one day comes out as that day does, after fifty times as long.
  return start === end ? format.format(readDay(start)) : format.formatRange(readDay(start), readDay(end));
}

/** Making one takes longer than a hundred dates. */
const longFormat = /* @__PURE__ */ remember(
  (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
);

function readDay(date: string): Date {
  const { year, month, day } = split(date);
  return new Date(Date.UTC(year, month - 1, day));
}

function split(date: string): { year: number; month: number; day: number } {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return { year, month, day };
}
