import type { BlockOf } from '../../contract/types.ts';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './timeline.module.css';

export function Timeline({ tone, anchor, title, text, entries: milestones }: BlockOf<'timeline'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ol className={styles.timeline}>
        {milestones.map((milestone) => (
          <li key={`${milestone.date} ${milestone.title}`}>
            <p>{milestone.date}</p>
            <div>
              <h3>{milestone.title}</h3>
              {milestone.text && <p>{milestone.text}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
