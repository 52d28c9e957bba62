import type { NewsItem } from '../../contract/types.ts';
import { buildDatePatterns } from '../../domain/dates.ts';
import { useRendering } from '../../rendering/context.ts';
import { cardGrid } from '../../ui/picture-card/picture-card.tsx';
import { NewsCard } from './news-card.tsx';

interface NewsCardsProps {
  articles: NewsItem[];
  /** Id of the list, if articles are added to it later. */
  id?: string;
}

export function NewsCards({ articles, id }: NewsCardsProps) {
  const { dateLocale } = useRendering();
  const dates = buildDatePatterns(dateLocale);
  return (
    <ul id={id} className={cardGrid}>
      {articles.map((article) => (
        <NewsCard key={article.id} article={article} dates={dates} />
      ))}
    </ul>
  );
}
