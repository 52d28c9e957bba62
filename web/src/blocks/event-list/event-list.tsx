import type { BlockOf } from '../../contract/types.ts';
import { EventList } from '../../features/events/event-list.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';

export function EventListBlock({ tone, anchor, title, text, events }: BlockOf<'event_list'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <EventList events={events} />
    </Section>
  );
}
