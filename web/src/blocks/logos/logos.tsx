import type { BlockOf } from '../../contract/types.ts';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section } from '../../ui/section/section.tsx';
import styles from './logos.module.css';

export function Logos({ tone, anchor, title, logos }: BlockOf<'logos'>) {
  return (
    <Section tone={tone} anchor={anchor} className={styles.logos}>
      {title && <h2>{title}</h2>}
      <ul>
        {logos.map(({ name, picture }) => (
          <li key={name}>
            <Picture picture={{ ...picture, alt: name }} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
