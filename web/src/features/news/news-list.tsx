import type { Link as LinkData, NewsItem } from '../../contract/index.ts';
import { buildDatePatterns } from '../../domain/dates.ts';
import { useRendering } from '../../rendering/context.ts';
import { Island } from '../../rendering/island.tsx';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { MoreNews } from './more-news.tsx';
import { NewsCards } from './news-cards.tsx';
import styles from './news-list.module.css';

interface NewsListProps {
  /** The newest. */
  articles: NewsItem[];
  /** All there are, the newest first. */
  archive: LinkData[];
}

/** The newest articles as cards, more of them on demand, and plain links to all: for who looks for one, and for search engines. */
export function NewsList({ articles, archive }: NewsListProps) {
  const { prefix, t, dateLocale } = useRendering();
  const listId = `${prefix}news`;
  if (articles.length >= archive.length) return <NewsCards id={listId} articles={articles} />;
  const props = {
    listId,
    dates: buildDatePatterns(dateLocale),
    count: articles.length,
    total: archive.length,
    labels: { more: t('moreNews'), shown: t('shownOfTotal'), failed: t('notLoaded'), retry: t('tryAgain') },
  };
  return (
    <>
      <NewsCards id={listId} articles={articles} />
      <Island name="more-news" component={MoreNews} props={props} />
      <details className={styles.archive}>
        <summary>
          <Icon name="plus" />
          {t('newsArchive')}
        </summary>
        <ul>
          {archive.map((link, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is drawn once
            <li key={index}>
              <Link to={link} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
