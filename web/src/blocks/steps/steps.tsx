import type { BlockOf } from '../../contract/types.ts';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './steps.module.css';

/** Each step is a waypoint; its duration is written on the course to the next. */
export function Steps({ tone, anchor, title, text, steps }: BlockOf<'steps'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.title}>
            <h3>{step.title}</h3>
            {step.duration && <p className={styles.duration}>{step.duration}</p>}
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
