import type { BlockOf } from '../../contract/types.ts';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './gallery.module.css';

export function Gallery({ tone, anchor, title, text, pictures }: BlockOf<'gallery'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ul className={styles.pictures}>
        {pictures.map(({ picture, caption }, index) => (
          // An editor may show one picture twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered
          <li key={index}>
            <figure>
              <Picture picture={picture} />
              {caption && <figcaption>{caption}</figcaption>}
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  );
}
