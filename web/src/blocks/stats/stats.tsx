import type { BlockOf } from '../../contract/types.ts';
import { Section } from '../../ui/section/section.tsx';
import styles from './stats.module.css';

/** Four stand side by side: the longest value decides how large all of them may be, so that none is broken in two. */
function howLong(stats: BlockOf<'stats'>['stats']): 'very' | 'rather' | 'somewhat' | undefined {
  const longest = Math.max(...stats.map(({ value }) => value.length));
  if (longest > 11) return 'very';
  if (longest > 8) return 'rather';
  return longest > 6 ? 'somewhat' : undefined;
}

export function Stats({ tone, anchor, title, stats }: BlockOf<'stats'>) {
  return (
    <Section tone={tone} anchor={anchor} className={styles.stats}>
      {title && <h2>{title}</h2>}
      <dl data-count={stats.length} data-long={howLong(stats)}>
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
