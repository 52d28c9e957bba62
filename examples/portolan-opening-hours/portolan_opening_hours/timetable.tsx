import { useRendering } from 'portolan/rendering/context.ts';
import type { ClockNotes } from './open-now.part.ts';
import { textsFor } from './texts.ts';
import styles from './timetable.module.css';
import type { ClosedDay, Hours } from './types.ts';
import { groupDays, type Span, WEEKDAYS, type Week, type Weekday, weekOf } from './week.ts';

interface TimetableProps {
  hours: Hours[];
  closedOn: ClosedDay[];
  timeZone: string;
}

/** A Monday, from which days are counted to print their names. */
const MONDAY = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The week as a table, complete in the page's HTML. The browser adds whether the branch is open now. */
export function Timetable({ hours, closedOn, timeZone }: TimetableProps) {
  const { lang, dateLocale } = useRendering();
  const t = textsFor(lang);
  const week = weekOf(hours);
  const print = printer(dateLocale);
  return (
    <>
      <p className={styles.now} data-own-open-now={JSON.stringify(notesFor(week, closedOn, timeZone, lang, dateLocale))}>
        <span className={styles.lamp} aria-hidden="true" />
        <span data-own-words="">{t.closedNow}</span>
      </p>
      <table className={styles.table}>
        <caption>{t.hours}</caption>
        <tbody>
          {groupDays(week, firstDayOf(dateLocale)).map(({ days, spans }) => (
            <tr key={days[0]}>
              <th scope="row">{print.days(days)}</th>
              <td>
                {spans.length === 0 ? t.closed : spans.map((span) => <span key={span.opens}>{print.span(span)}</span>)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {closedOn.length > 0 && (
        <dl className={styles.closed}>
          <dt>{t.closedOn}</dt>
          {closedOn.map(({ date, note }) => (
            <dd key={date}>
              <time dateTime={date}>{print.date(date)}</time>
              {note && `: ${note}`}
            </dd>
          ))}
        </dl>
      )}
    </>
  );
}

/** The data for the browser: the week and all possible sentences. */
function notesFor(week: Week, closedOn: ClosedDay[], zone: string, lang: string, locale: string): ClockNotes {
  const t = textsFor(lang);
  const print = printer(locale);
  const opens = new Set(WEEKDAYS.flatMap((day) => week[day].map((span) => span.opens)));
  const closes = new Set(WEEKDAYS.flatMap((day) => week[day].map((span) => span.closes)));
  return {
    zone,
    week,
    closedOn: closedOn.map(({ date }) => date),
    closed: t.closedNow,
    until: Object.fromEntries([...closes].map((at) => [at, t.openUntil(print.time(at))])),
    today: Object.fromEntries([...opens].map((at) => [at, t.opensAt(print.time(at))])),
    later: Object.fromEntries(
      WEEKDAYS.flatMap((day) =>
        week[day].slice(0, 1).map(({ opens: at }) => [`${day} ${at}`, t.opensOn(print.day(day), print.time(at))]),
      ),
    ),
  };
}

function printer(locale: string) {
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const dayName = (name: Weekday) => day.format(MONDAY + WEEKDAYS.indexOf(name) * DAY_MS);
  return {
    day: dayName,
    days: (names: Weekday[]) => [...new Set([names[0], names.at(-1)])].map((name) => dayName(name as Weekday)).join(' – '),
    time: (minute: number) => time.format(MONDAY + minute * MINUTE_MS),
    span: ({ opens, closes }: Span) => time.formatRange(MONDAY + opens * MINUTE_MS, MONDAY + closes * MINUTE_MS),
    date: (iso: string) => date.format(Date.parse(`${iso}T00:00:00Z`)),
  };
}

/** The day that the country's calendars begin with. */
function firstDayOf(locale: string): Weekday {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return WEEKDAYS[(known.getWeekInfo?.().firstDay ?? 1) - 1] ?? 'mon';
}
