import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import type { NewsItem, PictureVariant } from '../../contract/types.ts';
import { buildDatePatterns } from '../../domain/dates.ts';
import { renderHtml } from '../../testing/render-html.tsx';
import { translate } from '../../testing/translator.ts';
import { More } from '../../ui/more/more.tsx';
import { type NewsSettings, run as showMoreNews } from './more-news.part.ts';
import { NewsCard } from './news-card.tsx';

const examples = blockExamples().flatMap(({ block }) => (block.type === 'news_list' ? block.articles : []));
const [article, other] = examples;
if (!article || !other) throw new Error('the contract has an example of a list of news');
const item = (id: string): NewsItem => ({ ...article, id, date: '2026-02-03' });
const dates = buildDatePatterns('de-DE');
const card = (news: NewsItem) => renderHtml(<NewsCard article={news} dates={dates} />);
const published = Array.from({ length: 9 }, (_, index) => card({ ...other, id: `n${index + 1}` })).join('');

function variant(name: string): PictureVariant {
  const file = `/media/${name}`;
  return {
    width: 640,
    height: 400,
    avif: `${file}.avif`,
    avif2X: `${file}-2.avif`,
    webp: `${file}.webp`,
    webp2X: `${file}-2.webp`,
  };
}

/** Pages of the API from the second on; an error where there is none. */
let pages: Record<string, unknown>;
let asked: string[];

beforeEach(async () => {
  history.replaceState(null, '');
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  asked = [];
  pages = {
    2: { items: [item('n9'), item('n10'), item('n11')], pages: 3 },
    3: { items: [item('n12')], pages: 3 },
  };
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    const page = pages[new URL(path, 'http://site.test').searchParams.get('page') ?? ''];
    return page ? Response.json(page) : new Response('', { status: 503 });
  });
  await open();
});

/** The page as it is published, and then as the visitor left it. */
async function open(): Promise<void> {
  const labels = { more: 'More', shown: '{n} of {total}', failed: 'Failed', retry: 'Again' };
  const settings: NewsSettings = { listId: 'list', dates, count: 9, total: 12, labels };
  document.body.innerHTML = `<ul id="list">${published}</ul>${renderHtml(<More hook="data-more-news" settings={settings} />)}`;
  await showMoreNews(document.body.lastElementChild as HTMLElement);
}

async function press(): Promise<void> {
  const button = document.querySelector('button');
  button?.click();
  await vi.waitFor(() => expect(button?.getAttribute('aria-disabled')).toBeNull());
}

function state() {
  return {
    ids: [...document.querySelectorAll('#list > li')].slice(9).map((row) => row.getAttribute('data-id')),
    status: document.querySelector('[role=status]')?.textContent,
    alert: document.querySelector('[role=alert]')?.textContent,
    button: document.querySelector('button')?.textContent,
  };
}

describe('more news', () => {
  it('says how many are shown, and asks for none by itself', () => {
    expect(state()).toEqual({ ids: [], status: '9 of 12', alert: '', button: 'More' });
    expect(asked).toEqual([]);
  });

  it('comes into the same list page by page, leaves out what moved there, and ends', async () => {
    await press();
    expect(state()).toEqual({ ids: ['n10', 'n11'], status: '11 of 12', alert: '', button: 'More' });
    await press();
    expect(state()).toEqual({ ids: ['n10', 'n11', 'n12'], status: '12 of 12', alert: '', button: undefined });
    expect(asked).toEqual([2, 3].map((page) => `/api/content/news/pagination?page=${page}&perPage=9`));
  });

  it('asks once however often it is pressed', async () => {
    document.querySelector('button')?.click();
    await press();
    expect(asked).toHaveLength(1);
  });

  it('gives the first new article the focus', async () => {
    await press();
    expect(document.activeElement?.getAttribute('data-id')).toBe('n10');
    await press();
    expect(document.activeElement?.getAttribute('data-id')).toBe('n12');
  });

  it.each([
    ['a drawing', { ...article.previewImage, vector: '/media/a.svg' }],
    ['a focal point', { ...article.previewImage, focus: { x: 12, y: 100 } }],
    ['a picture', { ...article.previewImage, vector: null, mobile: variant('m'), tablet: null, desktop: variant('d') }],
  ])('is drawn as the page draws it, with %s', async (_, previewImage) => {
    const news = { ...item('n10'), previewImage };
    pages = { 2: { items: [news], pages: 2 } };
    await press();
    const expected = document.createElement('ul');
    expected.innerHTML = card(news);
    const drawn = document.querySelector('#list > :last-child');
    expect(drawn?.isEqualNode(expected.firstElementChild), `${drawn?.outerHTML}\n${expected.innerHTML}`).toBe(true);
  });

  it('is there again for who comes back, without asking, and goes on where it ended', async () => {
    await press();
    await open();
    expect(state()).toEqual({ ids: ['n10', 'n11'], status: '11 of 12', alert: '', button: 'More' });
    expect(document.activeElement).toBe(document.body);
    await press();
    expect(state()).toEqual({ ids: ['n10', 'n11', 'n12'], status: '12 of 12', alert: '', button: undefined });
    await open();
    expect(state()).toEqual({ ids: ['n10', 'n11', 'n12'], status: '12 of 12', alert: '', button: undefined });
    expect(asked).toEqual([2, 3].map((page) => `/api/content/news/pagination?page=${page}&perPage=9`));
  });

  it('comes once where the published list has got it since', async () => {
    pages = { 2: { items: [item('n10'), item('n11'), item('n12')], pages: 2 } };
    await press();
    history.replaceState({ list: { items: [item('n9'), item('n10')], next: null } }, '');
    await open();
    expect(state()).toEqual({ ids: ['n10'], status: '10 of 12', alert: '', button: undefined });
  });

  it('is seen where the browser has translated the page', async () => {
    translate(document.body);
    await press();
    expect(state()).toEqual({ ids: ['n10', 'n11'], status: '11 of 12', alert: '', button: 'More' });
    const drawn = document.querySelector('#list > :last-child');
    expect([drawn?.querySelector('font'), drawn?.textContent]).toEqual([
      null,
      new DOMParser().parseFromString(card(item('n11')), 'text/html').body.textContent,
    ]);
    translate(document.body);
    pages = {};
    await press();
    expect(state()).toMatchObject({ alert: 'Failed', button: 'Again' });
  });

  it('that comes when the page has been left is not kept with another one', async () => {
    document.querySelector('button')?.click();
    document.body.replaceChildren();
    await new Promise((resolve) => setTimeout(resolve));
    expect(history.state).toBeNull();
  });

  it('keeps what is there when it fails, and can be asked again', async () => {
    const { 3: last, ...first } = pages;
    pages = first;
    await press();
    await press();
    expect(state()).toEqual({ ids: ['n10', 'n11'], status: '11 of 12', alert: 'Failed', button: 'Again' });
    pages = { ...first, 3: last };
    await press();
    expect(state()).toEqual({ ids: ['n10', 'n11', 'n12'], status: '12 of 12', alert: '', button: undefined });
  });
});
