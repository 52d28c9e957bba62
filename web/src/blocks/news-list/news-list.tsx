import type { BlockOf } from '../../contract/types.ts';
import { NewsList } from '../../features/news/news-list.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';

export function NewsListBlock({ tone, anchor, title, text, articles, archive }: BlockOf<'news_list'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <NewsList articles={articles} archive={archive} />
    </Section>
  );
}
