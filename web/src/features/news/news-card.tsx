import type { NewsItem } from '../../contract/types.ts';
import { type DatePatterns, printDate } from '../../domain/dates.ts';
import { PictureCard } from '../../ui/picture-card/picture-card.tsx';

interface NewsCardProps {
  article: NewsItem;
  dates: DatePatterns;
}

/** An article in a list. `more-news.part.ts` fills copies of it. */
export function NewsCard({ article: { id, date, previewImage, link, summary }, dates }: NewsCardProps) {
  return (
    <li data-id={id} tabIndex={-1}>
      <PictureCard
        picture={previewImage}
        to={link}
        kicker={<time dateTime={date}>{printDate(date, dates)}</time>}
        text={summary}
      />
    </li>
  );
}
