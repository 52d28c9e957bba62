import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import type { Link as LinkData } from '../../contract/types.ts';
import { Link } from '../link/link.tsx';
import styles from './text-link.module.css';

/** A link of the content that stands alone or in a list, and is seen to be one. */
export function TextLink({ to, children }: { to: LinkData; children?: ReactNode }) {
  return (
    <Link to={to} className={styles.link}>
      {children}
    </Link>
  );
}

/** The same in an island, with a computed address. */
export function PlainTextLink(props: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'>) {
  return <a className={styles.link} {...props} />;
}

/** Does something and leads nowhere, where a link would stand. */
export function TextButton({ className = '', ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" className={`${styles.link} ${className}`.trimEnd()} {...rest} />;
}
