import styles from './rich-text.module.css';

interface RichTextProps {
  /** Clean HTML: the studio lets through h2-h4, p, ul, ol, li, a, strong, em, br, blockquote, code and hr. */
  html: string;
  className?: string | undefined;
}

export function RichText({ html, className }: RichTextProps) {
  return (
    <div
      className={className ? `${styles.text} ${className}` : styles.text}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned when the editor saved it
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
