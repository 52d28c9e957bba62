import '../../testing/dom.ts';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import { buildDatePatterns } from '../../domain/dates.ts';
import { MoreNews } from './more-news.island.tsx';

const example = blockExamples()
  .map(({ block }) => block)
  .find((block) => block.type === 'news_list');
if (example?.type !== 'news_list') throw new Error('the contract has an example of a list of news');
const [article] = example.articles;
if (!article) throw new Error('the example has articles');
const item = (id: string) => ({ ...article, id, date: '2026-02-03' });

/** Pages of the API from the second on; an error where there is none. */
let pages: Record<string, unknown>;
let asked: string[];
let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
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
  document.body.innerHTML = `<ul id="list">${Array.from({ length: 9 }, (_, index) => `<li data-id="n${index + 1}"></li>`).join('')}</ul><div id="root"></div>`;
  const container = document.getElementById('root');
  if (!container) throw new Error('there is a root');
  root = createRoot(container);
  const labels = { more: 'More', shown: '{n} of {total}', failed: 'Failed', retry: 'Again' };
  await act(async () =>
    root.render(<MoreNews listId="list" dates={buildDatePatterns('de-DE')} count={9} total={12} labels={labels} />),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

async function press(): Promise<void> {
  await act(async () => document.querySelector('button')?.click());
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

  it('gives the first new article the focus', async () => {
    await press();
    expect(document.activeElement?.getAttribute('data-id')).toBe('n10');
    await press();
    expect(document.activeElement?.getAttribute('data-id')).toBe('n12');
  });

  it('prints dates as the page does', async () => {
    await press();
    expect(document.querySelector('[data-id=n10] time')?.textContent).toBe('3. Februar 2026');
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
