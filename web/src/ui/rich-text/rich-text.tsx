import { trusted } from '../../lib/trusted.ts';
import { useRendering } from '../../rendering/context.ts';
import styles from './rich-text.module.css';

const TITLES = /(?<=<h[2-4][^>]*>)[^<]+/g;

interface RichTextProps {
  /** Clean HTML: the studio lets through h2-h4, p, ul, ol, li, a, strong, em, br, blockquote, code and hr. */
  html: string;
  className?: string | undefined;
}

export function RichText({ html, className }: RichTextProps) {
  const { hyphenate } = useRendering();
  return (
    <div
      className={className ? `${styles.text} ${className}` : styles.text}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned when the editor saved it
      dangerouslySetInnerHTML={{ __html: trusted.createHTML(html.replace(TITLES, hyphenate)) }}
    />
  );
}
