import styles from './brand.module.css';

/** The company's mark and name: a compass needle in its ring. Latin letters on every site, never mirrored. */
export function Brand({ name }: { name: string }) {
  return (
    <span className={styles.brand} dir="ltr" lang="en">
      <svg viewBox="0 0 28 28" aria-hidden="true">
        <circle cx="14" cy="14" r="12.5" />
        <path d="M14 1.5v4M14 22.5v4M1.5 14h4M22.5 14h4" />
        <path d="M18.6 6.2 11.3 11.3 9.4 21.8l7.3-5.1z" />
        <path d="M9.4 21.8l7.3-5.1-5.4-5.4z" />
      </svg>
      {name}
    </span>
  );
}
