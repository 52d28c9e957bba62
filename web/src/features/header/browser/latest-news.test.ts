import '../../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewsItem } from '../../../contract/types.ts';
import { buildDatePatterns } from '../../../domain/dates.ts';
import { paginateNews } from '../../../lib/api-client.ts';
import { showLatestNews } from './latest-news.ts';

vi.mock(import('../../../lib/api-client.ts'), () => ({ paginateNews: vi.fn() }));

const ask = vi.mocked(paginateNews);
const TEXTS = { loading: 'Loading', failed: 'Not loaded', retry: 'Try again' };
const items = ['one', 'two'].map((name) => ({
  title: `News ${name}`,
  date: '2026-03-04',
  link: { href: `/company/insights/${name}` },
  previewImage: { url: `/media/${name}.avif`, width: 320, height: 180 },
})) as NewsItem[];
const answer = { items } as Awaited<ReturnType<typeof paginateNews>>;

/** The part of the menu, as it is published. */
function container(): HTMLElement {
  document.body.innerHTML = '<div id="news"></div>';
  const news = document.getElementById('news') as HTMLElement;
  news.dataset['menuNews'] = JSON.stringify(TEXTS);
  news.dataset['dates'] = JSON.stringify(buildDatePatterns('en-GB'));
  return news;
}

const shown = (news: HTMLElement) => [...news.querySelectorAll('li a')].map((link) => link.getAttribute('href'));
const ADDRESSES = ['/company/insights/one', '/company/insights/two'];

beforeEach(() => {
  sessionStorage.clear();
  ask.mockReset().mockResolvedValue(answer);
});

describe('the news of the menu', () => {
  it('is asked for once a session', async () => {
    const news = container();
    const first = showLatestNews(news);
    expect([news.ariaBusy, news.querySelector('[role=status]')?.textContent]).toEqual(['true', TEXTS.loading]);
    await Promise.all([first, showLatestNews(news)]);
    await showLatestNews(news);
    expect([shown(news), news.ariaBusy]).toEqual([ADDRESSES, 'false']);
    const nextPage = container();
    await showLatestNews(nextPage);
    expect(shown(nextPage)).toEqual(ADDRESSES);
    expect(ask.mock.calls).toEqual([[{ page: 1, perPage: 3 }]]);
  });

  it('that cannot be had says so, and can be asked for again', async () => {
    ask.mockRejectedValueOnce(new TypeError('offline'));
    const news = container();
    await showLatestNews(news);
    expect(news.querySelector('[role=status]')?.textContent).toBe(TEXTS.failed);
    news.querySelector('button')?.click();
    await vi.waitFor(() => expect(shown(news)).toEqual(ADDRESSES));
    expect(news.querySelector('button, [role=status]')).toBeNull();
  });

  it.each(['{', '[]', '{"items":1}'])('is asked for where %s was kept of it', async (kept) => {
    sessionStorage.setItem('menuNews', kept);
    const news = container();
    await showLatestNews(news);
    expect([shown(news), ask.mock.calls.length]).toEqual([ADDRESSES, 1]);
  });

  it('is asked for again where the session keeps nothing', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    await showLatestNews(container());
    await showLatestNews(container());
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
