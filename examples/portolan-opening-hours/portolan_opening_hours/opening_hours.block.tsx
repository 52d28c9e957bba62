import { Section, SectionHead } from 'portolan/ui/section/section.tsx';
import styles from './opening_hours.module.css';
import { Timetable } from './timetable.tsx';
import type { OpeningHoursData } from './types.ts';

/** A section with the hours of a week. */
export default function OpeningHours({ tone, anchor, title, text, hours, closedOn, timeZone }: OpeningHoursData) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <div className={styles.timetable}>
        <Timetable hours={hours} closedOn={closedOn} timeZone={timeZone} />
      </div>
    </Section>
  );
}
