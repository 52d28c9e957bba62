'use client';

import { useRef } from 'react';
import styles from './language-switcher.module.css';
import { useClosing } from './use-closing.ts';

interface LanguageSwitcherProps {
  /** What the list is for, in the page's language. */
  label: string;
  entries: { label: string; code: string; lang: string; hreflang: string; href: string; current: boolean }[];
}

/**
 * Toggles on click; closes when the mouse leaves, on a click or the focus elsewhere and on Escape, and never under a visitor who
 * goes through it with the keyboard (spec §4 Language switcher).
 * The browser's own `<details>` opens it, so that it works before this code is there, and without.
 */
export function LanguageSwitcher({ label, entries }: LanguageSwitcherProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const closing = useClosing(details);
  const current = entries.find((entry) => entry.current);

  return (
    <details ref={details} className={styles.switcher} data-switcher="" {...closing}>
      {/* The name begins with what is to be seen: whoever speaks to the machine says that. */}
      <summary className={styles.button} aria-label={current ? `${current.code}, ${label}: ${current.label}` : label}>
        {current?.code ?? label}
      </summary>
      <ul className={styles.list}>
        {entries.map((entry) => (
          <li key={entry.hreflang}>
            <a
              className={styles.link}
              href={entry.href}
              hrefLang={entry.hreflang}
              lang={entry.lang}
              aria-current={entry.current ? 'true' : undefined}
            >
              {entry.label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
