import type { BlockOf } from '../../contract/types.ts';
import { ReviewList } from '../../features/reviews/review-list.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';

export function Testimonials({ tone, anchor, title, text, reviews, total }: BlockOf<'testimonials'>) {
  if (reviews.length === 0) return null;
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ReviewList reviews={reviews} total={total} />
    </Section>
  );
}
