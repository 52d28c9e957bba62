import type { ReactNode } from 'react';
import { Icon } from '../icon/icon.tsx';
import styles from './fold.module.css';

interface FoldProps {
  title: string;
  /** Short enough to be read without asking. */
  open?: boolean;
  /** Items of a list, each a link with small text below it. */
  children: ReactNode;
}

/** A long list of links for visitors who look for one, and for search engines. */
export function Fold({ title, open = false, children }: FoldProps) {
  return (
    <details className={styles.fold} open={open}>
      <summary>
        <Icon name="plus" />
        {title}
      </summary>
      <ul>{children}</ul>
    </details>
  );
}
