import type { BlockOf } from '../../contract/types.ts';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { Section } from '../../ui/section/section.tsx';
import styles from './rich-text.module.css';

export function RichTextBlock({ tone, anchor, html }: BlockOf<'rich_text'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <RichText html={html} className={styles.text} />
    </Section>
  );
}
