import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { Review } from '../../contract/types.ts';
import { paginateTestimonials } from '../../lib/api-client.ts';
import { readServedCountry } from '../../lib/visitor-country.ts';
import type { MorePage } from '../../ui/more/collect-more.ts';
import { More, type MoreLabels } from '../../ui/more/more.tsx';
import { useMore } from '../../ui/more/use-more.ts';
import { run as orderReviews } from './order-reviews.part.ts';
import { ReviewCard, type ScoreTexts } from './review-card.tsx';

interface MoreReviewsProps {
  /** Id of the static list with the first ones. */
  listId: string;
  scores: ScoreTexts;
  /** How many the static list has. */
  count: number;
  total: number;
  labels: MoreLabels;
}

/**
 * Lets the list of testimonials grow. Page and API may be of different releases, so we ask from the start and leave out what is
 * shown: nothing is missed and nothing comes twice.
 */
export function MoreReviews({ listId, scores, count, total, labels }: MoreReviewsProps) {
  const more = useMore({ listId, start: 0, enough: count, load: loadReviews });
  useEffect(() => {
    // Reviews that the list hides because they are for visitors of other countries would otherwise count as shown.
    if (more.list instanceof HTMLElement) orderReviews(more.list);
  }, [more.list]);
  return (
    <>
      {more.list &&
        createPortal(
          more.items.map((review) => <ReviewCard key={review.id} review={review} scores={scores} />),
          more.list,
        )}
      <More labels={labels} state={more} shown={count + more.items.length} total={total} onAsk={more.ask} />
    </>
  );
}

async function loadReviews(shown: number): Promise<MorePage<Review>> {
  const { items, more } = await paginateTestimonials({ countryCode: readServedCountry(), more: shown });
  return { items, next: more };
}
