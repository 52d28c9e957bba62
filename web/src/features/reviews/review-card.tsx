import type { HTMLAttributes } from 'react';
import type { Review } from '../../contract/types.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import styles from './review-card.module.css';

/** By score: what is printed, e.g. `4.5 out of 5`. */
export type ScoreTexts = Readonly<Record<string, string>>;

interface ReviewCardProps {
  review: Review;
  scores: ScoreTexts;
  /** Attributes of the item. */
  item?: Pick<HTMLAttributes<HTMLLIElement>, 'hidden'> & { [name: `data-${string}`]: string | undefined };
}

/** What a client says. In the page and in the browser alike. */
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
            {role && `\u00a0· ${role}`}
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
