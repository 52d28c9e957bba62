import type { BlockOf } from '../../contract/types.ts';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './timeline.module.css';

export function Timeline({ tone, anchor, title, text, entries }: BlockOf<'timeline'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ol className={styles.timeline}>
        {entries.map((entry) => (
          <li key={`${entry.date} ${entry.title}`}>
            <p>{entry.date}</p>
            <div>
              <h3>{entry.title}</h3>
              {entry.text && <p>{entry.text}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
