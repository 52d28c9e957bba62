'use client';

import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import styles from './language-switcher.module.css';

interface LanguageSwitcherProps {
  /** What the list is for, in the page's language. */
  label: string;
  entries: { label: string; code: string; lang: string; hreflang: string; href: string; current: boolean }[];
}

/**
 * Toggles on click, closes when the mouse leaves unless focus is inside, and on Escape. Spec §4 Language switcher.
 * The browser's own `<details>` opens it, so that it works before this code is there, and without.
 */
export function LanguageSwitcher({ label, entries }: LanguageSwitcherProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const current = entries.find((entry) => entry.current);

  function close() {
    if (details.current) details.current.open = false;
  }
  function closeUnlessFocused({ currentTarget }: MouseEvent) {
    if (!currentTarget.contains(currentTarget.ownerDocument.activeElement)) close();
  }
  function closeOnEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !details.current?.open) return;
    event.stopPropagation();
    close();
    details.current.querySelector('summary')?.focus();
  }

  return (
    <details
      ref={details}
      className={styles.switcher}
      data-switcher=""
      onMouseLeave={closeUnlessFocused}
      onKeyDown={closeOnEscape}
    >
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
