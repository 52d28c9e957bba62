import type { EventItem } from '../../contract/types.ts';
import { printDays } from '../../domain/dates.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import styles from './event-list.module.css';
import { EventPlace } from './event-place.tsx';

interface EventListProps {
  events: EventItem[];
  /** So many are shown: the next ones, or the last ones where none is to come. */
  limit?: number;
}

/**
 * Events one under the other, those to come first. `features/events/order-events.part.ts` moves coming events near the visitor to the
 * top. Rows only change places, so a list without a limit keeps its height.
 */
export function EventList({ events, limit }: EventListProps) {
  const { dateLocale } = useRendering();
  const coming = events.filter(({ past }) => !past).length;
  const shown = limit === undefined ? events.length : Math.min(limit, coming || limit);
  return (
    <ul className={styles.list} data-events="" data-limit={limit}>
      {events.map(({ id, start, end, past, city, country, cover, link, summary }, index) => (
        <li key={id} data-id={id} data-end={end} data-past={past ? '' : undefined} hidden={index >= shown}>
          <article className={styles.event}>
            <h3>
              <Link to={link} />
            </h3>
            <p className={styles.days}>
              <time dateTime={start}>{printDays(start, end, dateLocale)}</time>
            </p>
            <p className={styles.place}>
              <Icon name={city ? 'map-pin' : 'globe'} />
              <EventPlace city={city} country={country} />
            </p>
            <p>{summary}</p>
            <Picture picture={cover} className={styles.cover} />
          </article>
        </li>
      ))}
    </ul>
  );
}
