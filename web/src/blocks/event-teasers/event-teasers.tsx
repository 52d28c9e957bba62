import type { BlockOf } from '../../contract/types.ts';
import { EventList } from '../../features/events/event-list.tsx';
import { Section, SectionHead, SectionLink } from '../../ui/section/section.tsx';

export function EventTeasers({ tone, anchor, title, text, events, limit, link }: BlockOf<'event_teasers'>) {
  if (events.length === 0) return null;
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <EventList events={events} limit={limit} />
      <SectionLink to={link} />
    </Section>
  );
}
