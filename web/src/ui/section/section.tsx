import type { ReactNode } from 'react';
import type { Block, Link as LinkData } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Button } from '../button/button.tsx';
import styles from './section.module.css';

interface SectionProps extends Pick<Block, 'tone' | 'anchor'> {
  className?: string | undefined;
  children: ReactNode;
}

/** A band of the page on its background. Its content uses the 12 columns, by default across all of them. */
export function Section({ tone, anchor, className, children }: SectionProps) {
  return (
    <section
      className={className ? `${styles.section} ${className}` : styles.section}
      id={anchor ?? undefined}
      data-tone={tone}
    >
      {children}
    </section>
  );
}

/** A section's title with its introduction. A block whose title is optional may have neither. */
export function SectionHead({ title, text }: { title: string; text?: string }) {
  const { hyphenate } = useRendering();
  return (
    <>
      {title && <h2 className={styles.title}>{hyphenate(title)}</h2>}
      {text && <p className={styles.text}>{text}</p>}
    </>
  );
}

/** Where a section's list is found in full, if it says so. */
export function SectionLink({ to }: { to: LinkData | null }) {
  return (
    to && (
      <p className={styles.link}>
        <Button to={to} kind="quiet" />
      </p>
    )
  );
}
