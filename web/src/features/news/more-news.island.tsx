import { createPortal } from 'react-dom';
import type { NewsItem } from '../../contract/types.ts';
import type { DatePatterns } from '../../domain/dates.ts';
import { paginateNews } from '../../lib/api-client.ts';
import type { MorePage } from '../../ui/more/collect-more.ts';
import { More, type MoreLabels } from '../../ui/more/more.tsx';
import { useMore } from '../../ui/more/use-more.ts';
import { NewsCard } from './news-card.tsx';

interface MoreNewsProps {
  /** Id of the static list with the first page. */
  listId: string;
  dates: DatePatterns;
  /** How many the static list has. */
  count: number;
  total: number;
  labels: MoreLabels;
}

/** The size of a page is that of the static list, which is the first page. */
const PER_PAGE = 9;

/** Lets the list of news grow by a page of the API. */
export function MoreNews({ listId, dates, count, total, labels }: MoreNewsProps) {
  const more = useMore({ listId, start: 2, enough: 1, load: loadNews });
  return (
    <>
      {more.list &&
        createPortal(
          more.items.map((article) => <NewsCard key={article.id} article={article} dates={dates} />),
          more.list,
        )}
      <More labels={labels} state={more} shown={count + more.items.length} total={total} onAsk={more.ask} />
    </>
  );
}

async function loadNews(page: number): Promise<MorePage<NewsItem>> {
  const { items, pages } = await paginateNews({ page, perPage: PER_PAGE });
  return { items, next: page < pages ? page + 1 : null };
}
