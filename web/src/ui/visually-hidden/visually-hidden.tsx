import type { HTMLAttributes } from 'react';
import styles from './visually-hidden.module.css';

interface VisuallyHiddenProps extends Omit<HTMLAttributes<HTMLElement>, 'className'> {
  as?: 'span' | 'p' | 'h2' | 'legend' | 'div';
}

/** Said by screen readers, not shown, and without a place of its own in what surrounds it. */
export function VisuallyHidden({ as: Tag = 'span', ...rest }: VisuallyHiddenProps) {
  return <Tag className={styles.hidden} {...rest} />;
}
