import type { BlockOf } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Section } from '../../ui/section/section.tsx';
import styles from './marquee.module.css';

/** Two strips with the same words, one behind the other: when the first has moved out, the second is where the first began. */
export function Marquee({ tone, anchor, title, words }: BlockOf<'marquee'>) {
  const { t } = useRendering();
  const strip = words.map((word) => <li key={word}>{word}</li>);
  return (
    <Section tone={tone} anchor={anchor} className={styles.marquee}>
      {title && <h2>{title}</h2>}
      <label className={styles.stop}>
        <input type="checkbox" />
        <Icon name="pause" />
        <Icon name="play" />
        {t('stopMoving')}
      </label>
      <div className={styles.strip}>
        <ul>{strip}</ul>
        <ul aria-hidden="true">{strip}</ul>
      </div>
    </Section>
  );
}
