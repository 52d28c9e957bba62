import { fill } from '../../locales/fill.ts';
import styles from './more.module.css';

/** Data of a list for `browser/grow-list.ts`. */
export interface MoreSettings {
  /** Id of the list as it is published, whose rows carry `data-id`. */
  listId: string;
  /** How many it shows. */
  count: number;
  total: number;
  labels: MoreLabels;
}

export interface MoreLabels {
  more: string;
  /** How many are shown: with `{n}` and `{total}`. */
  shown: string;
  failed: string;
  retry: string;
}

interface MoreProps<Settings extends MoreSettings> {
  /** Of the part that lets the list grow. */
  hook: 'data-more-news' | 'data-more-reviews';
  /** They go to that part as JSON. */
  settings: Settings;
}

/** The button below a list that grows, and how far it has grown. */
export function More<Settings extends MoreSettings>({ hook, settings }: MoreProps<Settings>) {
  const { listId, labels, count, total } = settings;
  return (
    <div className={styles.more} data-remembers={listId} {...{ [hook]: JSON.stringify(settings) }}>
      {/* In the page from the start, because screen readers only announce changes of existing elements. */}
      <p role="status">{fill(labels.shown, { n: count, total })}</p>
      {/* An empty alert, filled later, is read out. */}
      <p role="alert" />
      <button type="button">{labels.more}</button>
    </div>
  );
}
