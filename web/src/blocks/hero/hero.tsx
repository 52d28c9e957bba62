import type { BlockOf } from '../../contract/index.ts';
import { Motif } from '../../features/motif/motif.tsx';
import { useRendering } from '../../rendering/context.ts';
import { Actions } from '../../ui/button/button.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section } from '../../ui/section/section.tsx';
import styles from './hero.module.css';

/** The page's opening: its h1 on the page's own chart. A picture that is mere decoration takes the chart's place; one that says something stands below. */
export function Hero({ tone, anchor, eyebrow, title, text, actions, picture }: BlockOf<'hero'>) {
  const { motif, prefix } = useRendering();
  return (
    <Section tone={tone} anchor={anchor} className={styles.hero}>
      {picture && !picture.alt ? (
        <Picture picture={picture} className={picture.vector ? styles.drawing : styles.scene} eager />
      ) : (
        <Motif seed={motif} id={`${prefix}coast`} />
      )}
      {eyebrow && <p className={styles.eyebrow}>{eyebrow}</p>}
      <h1 className={styles.title}>{title}</h1>
      {text && <p className={styles.text}>{text}</p>}
      {actions.length > 0 && <Actions links={actions} />}
      {picture?.alt && <Picture picture={picture} className={styles.plate} eager />}
      <span className={styles.end} hidden />
    </Section>
  );
}
