import type { Link as LinkData, NewsItem } from '../../contract/types.ts';
import { buildDatePatterns } from '../../domain/dates.ts';
import { useRendering } from '../../rendering/context.ts';
import { Fold } from '../../ui/fold/fold.tsx';
import { Link } from '../../ui/link/link.tsx';
import { More } from '../../ui/more/more.tsx';
import type { NewsSettings } from './more-news.part.ts';
import { NewsCards } from './news-cards.tsx';

interface NewsListProps {
  /** The newest. */
  articles: NewsItem[];
  /** All there are, the newest first. */
  archive: LinkData[];
}

/**
 * The newest articles as cards, more of them on demand, and plain links to all: for visitors who look for one, and for
 * search engines.
 */
export function NewsList({ articles, archive }: NewsListProps) {
  const { prefix, t, dateLocale } = useRendering();
  const listId = `${prefix}news`;
  if (articles.length >= archive.length) return <NewsCards id={listId} articles={articles} />;
  const settings: NewsSettings = {
    listId,
    dates: buildDatePatterns(dateLocale),
    count: articles.length,
    total: archive.length,
    labels: { more: t('moreNews'), shown: t('shownOfTotal'), failed: t('notLoaded'), retry: t('tryAgain') },
  };
  return (
    <>
      <NewsCards id={listId} articles={articles} />
      <More hook="data-more-news" settings={settings} />
      <Fold title={t('newsArchive')}>
        {archive.map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is drawn once
          <li key={index}>
            <Link to={link} />
          </li>
        ))}
      </Fold>
    </>
  );
}
