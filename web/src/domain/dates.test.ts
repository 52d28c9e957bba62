import { describe, expect, it } from 'vitest';
import { buildDatePatterns, printDate, printDays } from './dates.ts';

/** The date locales of the registry. */
const DATES: [locale: string, day: string, days: string, months: string][] = [
  ['en-GB', '1 March 2026', '1 – 3 March 2026', '30 March – 2 April 2026'],
  ['de-DE', '1. März 2026', '1.–3. März 2026', '30. März – 2. April 2026'],
  ['ar-AE-u-nu-latn-ca-gregory', '1 مارس 2026', '1–3 مارس 2026', '30 مارس – 2 أبريل 2026'],
  ['az-AZ', '1 mart 2026', '1 – 3 mart 2026', '30 mart – 2 aprel 2026'],
  ['ru-KZ', '1 марта 2026 г.', '1–3 марта 2026 г.', '30 марта – 2 апреля 2026 г.'],
  ['pl-PL', '1 marca 2026', '1–3 marca 2026', '30 marca – 2 kwietnia 2026'],
  ['fr-FR', '1 mars 2026', '1–3 mars 2026', '30 mars – 2 avril 2026'],
];

/** Some spaces of a range are thin ones. */
function plain(text: string): string {
  return text.replace(/\s/g, ' ');
}

describe('a date', () => {
  it.each(DATES)('in %s is %s', (locale, day) => {
    expect(printDate('2026-03-01', buildDatePatterns(locale))).toBe(day);
  });

  it.each(DATES)('in %s comes out of its pattern as the platform prints it, on every day of a year', (locale) => {
    const patterns = buildDatePatterns(locale);
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    for (let day = Date.UTC(2028, 0, 1); day < Date.UTC(2029, 0, 1); day += 86_400_000) {
      const date = new Date(day);
      expect(printDate(date.toISOString().slice(0, 10), patterns)).toBe(format.format(date));
    }
  });
});

describe('days', () => {
  it.each(DATES)('in %s are one where it is one, and two where the month changes', (locale, day, days, months) => {
    expect(printDays('2026-03-01', '2026-03-01', locale)).toBe(day);
    expect(plain(printDays('2026-03-01', '2026-03-03', locale))).toBe(plain(days));
    expect(plain(printDays('2026-03-30', '2026-04-02', locale))).toBe(plain(months));
  });
});
