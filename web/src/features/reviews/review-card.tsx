import type { HTMLAttributes } from 'react';
import type { Review } from '../../contract/types.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import styles from './review-card.module.css';
import { type ScoreTexts, sayRole } from './review-texts.ts';

interface ReviewCardProps {
  review: Review;
  scores: ScoreTexts;
  /** Attributes of the item. */
  item?: Pick<HTMLAttributes<HTMLLIElement>, 'hidden'> & { [name: `data-${string}`]: string | undefined };
}

/** Class of a client's logo, also for `more-reviews.part.ts`, which fills copies of a card. */
export const logoClass = styles.logo ?? '';

/** A client's testimonial. */
export function ReviewCard({
  review: { id, person, role, company, score, text, logo },
  scores,
  item,
}: ReviewCardProps) {
  return (
    <li data-id={id} tabIndex={-1} className={styles.item} {...item}>
      <figure className={styles.review}>
        <blockquote>
          <p>{text}</p>
        </blockquote>
        <figcaption>
          <cite>
            <b>{company}</b>
            {person}
            {sayRole(role)}
          </cite>
          <span className={styles.score}>
            <Icon name="star" />
            {scores[score] ?? score}
          </span>
          {logo && <Picture picture={{ ...logo, alt: '' }} className={styles.logo} />}
        </figcaption>
      </figure>
    </li>
  );
}
