import styles from './language-switcher.module.css';

interface LanguageSwitcherProps {
  /** The accessible name of the list, in the page's language. */
  label: string;
  links: { label: string; code: string; lang: string; hreflang: string; href: string; current: boolean }[];
}

/** The browser's own `<details>` opens it; `close-switcher.part.ts` says when it closes by itself. */
export function LanguageSwitcher({ label, links }: LanguageSwitcherProps) {
  const current = links.find((link) => link.current);

  return (
    <details className={styles.switcher} data-switcher="">
      {/* The name begins with the text on the button, which users of voice control speak. */}
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
