import type { BlockOf } from '../../contract/index.ts';
import { Section } from '../../ui/section/section.tsx';
import styles from './stats.module.css';

export function Stats({ tone, anchor, title, stats }: BlockOf<'stats'>) {
  return (
    <Section tone={tone} anchor={anchor} className={styles.stats}>
      {title && <h2>{title}</h2>}
      <dl>
        {stats.map(({ value, caption }) => (
          <div key={caption}>
            <dt>{caption}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
