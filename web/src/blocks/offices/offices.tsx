import type { BlockOf } from '../../contract/types.ts';
import { OfficeList } from '../../features/offices/office-list.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';

export function Offices({ tone, anchor, title, text, offices }: BlockOf<'offices'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <OfficeList offices={offices} />
    </Section>
  );
}
