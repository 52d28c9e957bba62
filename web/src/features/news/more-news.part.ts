import type { NewsItem } from '../../contract/types.ts';
import { type DatePatterns, printDate } from '../../domain/dates.ts';
import { paginateNews } from '../../lib/api-client.ts';
import type { Part } from '../../runtime/parts/parts.ts';
import type { MorePage } from '../../ui/more/browser/collect-more.ts';
import { growList } from '../../ui/more/browser/grow-list.ts';
import type { MoreSettings } from '../../ui/more/more.tsx';
import { buildPicture } from '../../ui/picture/browser/build-picture.ts';

export const part: Part = { on: '[data-more-news]', when: 'touch' };
export { showMoreNews as run };

export interface NewsSettings extends MoreSettings {
  dates: DatePatterns;
}

/** The size of a page is that of the published list, which is the first page. */
const PER_PAGE = 9;

/** Lets the list of news grow by a page of the API. */
async function showMoreNews(more: HTMLElement): Promise<void> {
  const settings: NewsSettings = JSON.parse(more.dataset['moreNews'] ?? '');
  const fillCard = (card: HTMLElement, article: NewsItem) => fillNewsCard(card, article, settings.dates);
  growList(more, settings, { start: 2, enough: 1, load, fillCard });
}

async function load(page: number): Promise<MorePage<NewsItem>> {
  const { items, pages } = await paginateNews({ page, perPage: PER_PAGE });
  return { items, next: page < pages ? page + 1 : null };
}

/** Builds the same card as `news-card.tsx`. */
function fillNewsCard(card: HTMLElement, { date, previewImage, link, summary }: NewsItem, dates: DatePatterns): void {
  const [title] = card.getElementsByTagName('a');
  const [day] = card.getElementsByTagName('time');
  const text = day?.parentElement?.nextElementSibling;
  const [image] = card.getElementsByTagName('img');
  if (!title || !day || !text || !image) return;
  title.href = link.href;
  title.textContent = link.title;
  day.dateTime = date;
  day.textContent = printDate(date, dates);
  text.textContent = summary;
  (image.closest('picture') ?? image).replaceWith(buildPicture(previewImage, image.className));
}
