import type { BlockOf } from '../../contract/types.ts';
import { NewsCards } from '../../features/news/news-cards.tsx';
import { Section, SectionHead, SectionLink } from '../../ui/section/section.tsx';

export function NewsTeasers({ tone, anchor, title, text, articles, link }: BlockOf<'news_teasers'>) {
  if (articles.length === 0) return null;
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <NewsCards articles={articles} />
      <SectionLink to={link} />
    </Section>
  );
}
