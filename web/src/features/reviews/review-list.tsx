import { testimonialsPerPage } from '../../../../contract/constants.json';
import type { Review } from '../../contract/types.ts';
import { placeReviews } from '../../domain/first-reviews.ts';
import { remember } from '../../domain/remember.ts';
import { useRendering } from '../../rendering/context.ts';
import { More } from '../../ui/more/more.tsx';
import type { ReviewSettings } from './more-reviews.part.ts';
import { logoClass, ReviewCard } from './review-card.tsx';
import styles from './review-list.module.css';
import type { ScoreTexts } from './review-texts.ts';

interface ReviewListProps {
  /** The first ones of every visitor. */
  reviews: Review[];
  /** Of all there are. */
  total: number;
}

/** Every score there can be. */
const SCORES = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5];

const decimalFormat = remember((locale: string) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }));

/** The first testimonials, the visitor's country first (`entries/visitor.ts` shows which those are), and more of them on demand. */
export function ReviewList({ reviews, total }: ReviewListProps) {
  const { prefix, t, dateLocale } = useRendering();
  const listId = `${prefix}reviews`;
  const decimal = decimalFormat(dateLocale);
  const scores: ScoreTexts = Object.fromEntries(
    SCORES.map((score) => [score, t('scoreOf', { score: decimal.format(score) })]),
  );
  const settings: ReviewSettings = {
    listId,
    scores,
    logo: logoClass,
    count: Math.min(testimonialsPerPage, reviews.length),
    total,
    labels: { more: t('moreTestimonials'), shown: t('shownOfTotal'), failed: t('notLoaded'), retry: t('tryAgain') },
  };
  return (
    <>
      <ul id={listId} className={styles.list} data-reviews="">
        {placeReviews(reviews, testimonialsPerPage).map(({ review, isFirst, yieldsTo }) => {
          const item = {
            hidden: !isFirst,
            'data-review-country': review.country,
            'data-yields-to': yieldsTo.length > 0 ? yieldsTo.join(' ') : undefined,
          };
          return <ReviewCard key={review.id} review={review} scores={scores} item={item} />;
        })}
      </ul>
      {/* Says to the styles of `entries/visitor.ts` that the list is whole, so it is there in any case. */}
      {settings.count < total ? <More hook="data-more-reviews" settings={settings} /> : <span hidden />}
    </>
  );
}
