'use client';

import { useRef } from 'react';
import styles from './language-switcher.module.css';
import { useClosing } from './use-closing.ts';

interface LanguageSwitcherProps {
  /** What the list is for, in the page's language. */
  label: string;
  links: { label: string; code: string; lang: string; hreflang: string; href: string; current: boolean }[];
}

/**
 * Toggles on click; closes when the mouse leaves, on a click or the focus elsewhere and on Escape, but never while a
 * visitor uses it with the keyboard (spec §4 Language switcher). The browser's own `<details>` opens it, so that it
 * works before this code is there, and without.
 */
export function LanguageSwitcher({ label, links }: LanguageSwitcherProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const closing = useClosing(details);
  const current = links.find((link) => link.current);

  return (
    <details ref={details} className={styles.switcher} data-switcher="" {...closing}>
      {/* The name begins with the text on the button: that is what somebody who uses voice control says. */}
      <summary className={styles.button} aria-label={current ? `${current.code}, ${label}: ${current.label}` : label}>
        {current?.code ?? label}
      </summary>
      <ul className={styles.list}>
        {links.map((link) => (
          <li key={link.hreflang}>
            <a
              className={styles.link}
              href={link.href}
              hrefLang={link.hreflang}
              lang={link.lang}
              aria-current={link.current ? 'true' : undefined}
            >
              {link.label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
