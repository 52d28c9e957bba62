import type { ReactNode } from 'react';
import type { Link as LinkData } from '../../contract/types.ts';
import { Icon } from '../icon/icon.tsx';
import { breakable } from '../link/breakable.tsx';
import { Link } from '../link/link.tsx';
import styles from './button.module.css';

interface ButtonProps {
  to: LinkData;
  /** `signal` is the one thing to do next: once on a screen. */
  kind: 'signal' | 'quiet';
}

/** A link that looks like the action it is. */
export function Button({ to, kind }: ButtonProps) {
  return (
    <Link to={to} className={styles[kind]}>
      {breakable(to.title)}
      <Icon name={to.external ? 'arrow-up-right' : 'arrow-right'} directional />
    </Link>
  );
}

/** One or two actions: the first is the one thing to do next. A phone may stand after them. */
export function Actions({ links, children }: { links: LinkData[]; children?: ReactNode }) {
  return (
    <p className={styles.actions}>
      {links.map((link, index) => (
        <Button key={link.href} to={link} kind={index === 0 ? 'signal' : 'quiet'} />
      ))}
      {children}
    </p>
  );
}
