import { fill } from '../../locales/fill.ts';
import styles from './more.module.css';
import type { MoreState } from './more-state.ts';

export interface MoreLabels {
  more: string;
  /** How many are shown: with `{n}` and `{total}`. */
  shown: string;
  failed: string;
  retry: string;
}

interface MoreProps {
  labels: MoreLabels;
  state: MoreState<unknown>;
  shown: number;
  total: number;
  onAsk: () => void;
}

/** The button below a list that grows, and how far it has grown. */
export function More({ labels, state: { next, status }, shown, total, onAsk }: MoreProps) {
  return (
    <div className={styles.more}>
      {/* In the page from the start, because screen readers only announce changes of existing elements. */}
      <p role="status">{fill(labels.shown, { n: shown, total })}</p>
      {/* An empty alert, filled later, is read out. */}
      <p role="alert">{status === 'failed' ? labels.failed : ''}</p>
      {next !== null && (
        <button type="button" aria-disabled={status === 'loading' || undefined} onClick={onAsk}>
          {status === 'failed' ? labels.retry : labels.more}
        </button>
      )}
    </div>
  );
}
