/**
 * Counts one visit of an article or blueprint and shows the number of visits (spec §7, integration/articles/views).
 *
 * A visit is a tab's first view of the page: a reload or a way back shows the number and adds nothing. A page that was opened
 * in the background, or rendered ahead of a click, counts once it is visible.
 */
import { addArticleView, listArticleViews, readBlueprintViews } from '../../lib/api-client.ts';
import { readSession, writeSession } from '../../lib/storage.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-article]', when: 'idle' };
export { countView as run };

async function countView(element: HTMLElement): Promise<void> {
  const { article = '', family, group = '' } = element.dataset;
  await untilSeen();
  const views = readSession(`viewed:${article}`) ? await readViews(article, family) : await addView(article);
  const count = element.querySelector('[data-count]');
  if (views === undefined || !count) return;
  count.textContent = String(views).replace(/\B(?=(\d{3})+$)/g, group);
  element.setAttribute('data-known', '');
}

async function addView(article: string): Promise<number> {
  const { views } = await addArticleView(article);
  writeSession(`viewed:${article}`, '1');
  return views;
}

async function readViews(article: string, family: string | undefined): Promise<number | undefined> {
  if (family === 'blueprint') return (await readBlueprintViews(article)).views;
  const { items } = await listArticleViews();
  return items.find(({ id }) => id === article)?.views;
}

function untilSeen(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}
