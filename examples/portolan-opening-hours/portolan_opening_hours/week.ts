/** Rules of opening hours, the same where a page is rendered and in the browser. */
import type { Hours } from './types.ts';

export type Weekday = Hours['days'][number];

export const WEEKDAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** From one minute of a day to another, counted from midnight. */
export interface Span {
  opens: number;
  closes: number;
}

export type Week = Record<Weekday, Span[]>;

/** A moment where the hours hold. */
export interface Moment {
  date: string;
  day: Weekday;
  minute: number;
}

export type State = { open: true; until: number } | { open: false; next: { day: Weekday; at: number; in: number } | null };

export function weekOf(rows: readonly Hours[]): Week {
  const week = Object.fromEntries(WEEKDAYS.map((day) => [day, [] as Span[]])) as Week;
  for (const { days, opens, closes } of rows) {
    for (const day of days) week[day].push({ opens: minuteOf(opens), closes: minuteOf(closes) });
  }
  for (const day of WEEKDAYS) week[day].sort((a, b) => a.opens - b.opens);
  return week;
}

/** Days one after the other that have the same hours, in the order of the country's week. */
export function groupDays(week: Week, first: Weekday): { days: Weekday[]; spans: Span[] }[] {
  const start = WEEKDAYS.indexOf(first);
  const groups: { days: Weekday[]; spans: Span[] }[] = [];
  for (const day of [...WEEKDAYS.slice(start), ...WEEKDAYS.slice(0, start)]) {
    const last = groups.at(-1);
    if (last && JSON.stringify(last.spans) === JSON.stringify(week[day])) last.days.push(day);
    else groups.push({ days: [day], spans: week[day] });
  }
  return groups;
}

/** Returns whether the branch is open, and until or from when. `closedOn`: dates on which it is closed. */
export function stateAt(week: Week, closedOn: readonly string[], now: Moment): State {
  for (let days = 0; days <= 7; days += 1) {
    if (closedOn.includes(addDays(now.date, days))) continue;
    const day = WEEKDAYS[(WEEKDAYS.indexOf(now.day) + days) % 7] as Weekday;
    for (const span of week[day]) {
      if (days > 0 || span.opens > now.minute) return { open: false, next: { day, at: span.opens, in: days } };
      if (now.minute < span.closes) return { open: true, until: span.closes };
    }
  }
  return { open: false, next: null };
}

export function momentIn(timeZone: string, now: Date): Moment {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    day: (parts.weekday ?? '').toLowerCase() as Weekday,
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  };
}

function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
