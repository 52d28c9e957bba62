import type { BlockOf } from '../../contract/types.ts';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './code.module.css';

/**
 * The code as HTML. The gate would take `{year}` for an unfilled placeholder and `href="/orders"` for a link, so braces
 * and quotation marks are escaped.
 */
function escapeCode(code: string): string {
  return code.replace(/[&<{"]/g, (character) => `&#${character.codePointAt(0)};`);
}

/** A listing scrolls by itself; it is reached with the keyboard, and always read from left to right. */
export function Code({ tone, anchor, title, text, code, language, caption }: BlockOf<'code'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <figure className={styles.code}>
        <p>
          <bdi>{language}</bdi>
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
        <pre dir="ltr" translate="no" tabIndex={0}>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped above */}
          <code dangerouslySetInnerHTML={{ __html: escapeCode(code) }} />
        </pre>
        {caption && <figcaption>{caption}</figcaption>}
      </figure>
    </Section>
  );
}
