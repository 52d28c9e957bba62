/** The latest news in the menu: asked for when first shown, kept for the session (spec §2, §4, §9). */
import { MENU_NEWS_COUNT } from '../../../constants.ts';
import type { NewsItem } from '../../../contract/types.ts';
import { type DatePatterns, printDate } from '../../../domain/dates.ts';
import { paginateNews } from '../../../lib/api-client.ts';
import { readSession, writeSession } from '../../../lib/storage.ts';

const KEY = 'menuNews';

interface Texts {
  loading: string;
  failed: string;
  retry: string;
}

/** Fills `container` once; where that fails, it says so and offers to try again. */
export async function showLatestNews(container: HTMLElement): Promise<void> {
  if (container.ariaBusy === 'true' || container.querySelector('ul')) return;
  const texts: Texts = JSON.parse(container.dataset['menuNews'] ?? '{}');
  const dates: DatePatterns = JSON.parse(container.dataset['dates'] ?? '[]');
  container.ariaBusy = 'true';
  container.replaceChildren(status(texts.loading));
  try {
    const articles = readKept() ?? (await load());
    container.replaceChildren(buildList(articles, dates));
  } catch {
    const retry = document.createElement('button');
    retry.type = 'button';
    retry.textContent = texts.retry;
    retry.addEventListener('click', () => void showLatestNews(container));
    container.replaceChildren(status(texts.failed), retry);
  } finally {
    container.ariaBusy = 'false';
  }
}

async function load(): Promise<NewsItem[]> {
  const { items } = await paginateNews({ page: 1, perPage: MENU_NEWS_COUNT });
  writeSession(KEY, JSON.stringify(items));
  return items;
}

function readKept(): NewsItem[] | null {
  try {
    const kept: unknown = JSON.parse(readSession(KEY) ?? 'null');
    return Array.isArray(kept) && kept.length > 0 ? kept : null;
  } catch {
    return null;
  }
}

function status(text: string): HTMLElement {
  const element = document.createElement('p');
  element.role = 'status';
  element.textContent = text;
  return element;
}

function buildList(articles: NewsItem[], dates: DatePatterns): HTMLElement {
  const list = document.createElement('ul');
  for (const { title, date, link, previewImage } of articles) {
    const image = document.createElement('img');
    image.src = previewImage.url;
    image.alt = '';
    image.width = previewImage.width;
    image.height = previewImage.height;
    image.loading = 'lazy';
    const time = document.createElement('time');
    time.dateTime = date;
    time.textContent = printDate(date, dates);
    const name = document.createElement('b');
    name.textContent = title;
    const anchor = document.createElement('a');
    anchor.href = link.href;
    anchor.append(image, time, name);
    const row = document.createElement('li');
    row.append(anchor);
    list.append(row);
  }
  return list;
}
