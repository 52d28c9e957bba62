import type { BlockOf } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Button } from '../../ui/button/button.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { Section } from '../../ui/section/section.tsx';
import styles from './image-text.module.css';

/** If there is no room next to the text, the image is below it on either side. */
export function ImageText({ tone, anchor, title, text, html, picture, side, link }: BlockOf<'image_text'>) {
  const { hyphenate } = useRendering();
  return (
    <Section tone={tone} anchor={anchor} className={side === 'start' ? `${styles.side} ${styles.start}` : styles.side}>
      <div className={styles.text}>
        <h2>{hyphenate(title)}</h2>
        {text && <p>{text}</p>}
        <RichText html={html} />
        {link && <Button to={link} kind="quiet" />}
      </div>
      <div>
        <Picture picture={picture} />
      </div>
    </Section>
  );
}
