import type { Review } from '../../contract/index.ts';
import { useRendering } from '../../rendering/context.ts';
import { Island } from '../../rendering/island.tsx';
import { MoreReviews } from './more-reviews.tsx';
import { ReviewCard, type ScoreTexts } from './review-card.tsx';
import styles from './review-list.module.css';

interface ReviewListProps {
  /** The first ones. */
  reviews: Review[];
  /** Of all there are. */
  total: number;
}

/** Every score there can be. */
const SCORES = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5];

/** The first testimonials, and more of them on demand. */
export function ReviewList({ reviews, total }: ReviewListProps) {
  const { prefix, t, dateLocale } = useRendering();
  const listId = `${prefix}reviews`;
  const decimal = new Intl.NumberFormat(dateLocale, { minimumFractionDigits: 1 });
  const scores: ScoreTexts = Object.fromEntries(
    SCORES.map((score) => [score, t('scoreOf', { score: decimal.format(score) })]),
  );
  const props = {
    listId,
    scores,
    count: reviews.length,
    total,
    labels: { more: t('moreTestimonials'), shown: t('shownOfTotal'), failed: t('notLoaded'), retry: t('tryAgain') },
  };
  return (
    <>
      <ul id={listId} className={styles.list}>
        {reviews.map((review) => (
          <ReviewCard key={review.id} review={review} scores={scores} />
        ))}
      </ul>
      {reviews.length < total && <Island name="more-reviews" lazy component={MoreReviews} props={props} />}
    </>
  );
}
