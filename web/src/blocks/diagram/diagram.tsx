import type { BlockOf } from '../../contract/types.ts';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './diagram.module.css';

export function Diagram({ tone, anchor, title, text, picture, caption }: BlockOf<'diagram'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <figure className={styles.diagram}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
        <div tabIndex={0}>
          <Picture picture={picture} />
        </div>
        {caption && <figcaption>{caption}</figcaption>}
      </figure>
    </Section>
  );
}
