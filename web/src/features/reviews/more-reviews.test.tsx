import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import type { Review } from '../../contract/types.ts';
import { renderHtml } from '../../testing/render-html.tsx';
import { translate } from '../../testing/translator.ts';
import { More } from '../../ui/more/more.tsx';
import { type ReviewSettings, run as showMoreReviews } from './more-reviews.part.ts';
import { logoClass, ReviewCard } from './review-card.tsx';

const examples = blockExamples().flatMap(({ block }) => (block.type === 'testimonials' ? block.reviews : []));
const withLogo = examples.find(({ logo }) => logo);
if (!withLogo) throw new Error('the contract has an example of testimonials, one of them with a logo');
const withoutLogo: Review = { ...withLogo, logo: null, role: '' };
const scores = { '5': '5,0 von 5' };

/** Sixteen reviews; from number 13 on they are of Emirati clients. */
const IDS = Array.from({ length: 16 }, (_, index) => `r${index + 1}`);
const COUNTRY_FIRST = [...IDS.slice(12), ...IDS.slice(0, 12)];

let asked: string[];
/** The content of the API's reviews, in the visitor's order. */
let review: Review;

function card(id: string, item = {}, of: Review = review): string {
  return renderHtml(<ReviewCard review={{ ...of, id, score: 5 }} scores={scores} item={item} />);
}

async function show(country: string, rows: string[] = IDS.slice(0, 6).map((id) => card(id))): Promise<void> {
  document.documentElement.dataset['country'] = country;
  const labels = { more: 'More', shown: '{n} of {total}', failed: 'Failed', retry: 'Again' };
  const settings: ReviewSettings = { listId: 'list', scores, logo: logoClass, count: 6, total: 16, labels };
  document.body.innerHTML = `<ul id="list">${rows.join('')}</ul>${renderHtml(<More hook="data-more-reviews" settings={settings} />)}`;
  await showMoreReviews(document.body.lastElementChild as HTMLElement);
}

beforeEach(() => {
  history.replaceState(null, '');
  review = withLogo;
  asked = [];
  vi.stubGlobal('fetch', async (path: string) => {
    const query = new URL(path, 'http://site.test').searchParams;
    asked.push(query.toString());
    const from = Number(query.get('more'));
    const ids = (query.get('countryCode') === 'ae' ? COUNTRY_FIRST : IDS).slice(from, from + 6);
    const more = from + 6 < IDS.length ? from + 6 : null;
    return Response.json({ items: ids.map((id) => ({ ...review, id, score: 5 })), total: IDS.length, more });
  });
});

/** The page's list as it is published: the Emirati ones wait in it, and the last of the first yield to them. */
function publishedRows(): string[] {
  const first = IDS.slice(0, 6).map((id, at) =>
    card(id, { 'data-review-country': 'gb', 'data-yields-to': at > 1 ? 'ae' : undefined }),
  );
  return [...first, ...IDS.slice(12).map((id) => card(id, { 'data-review-country': 'ae', hidden: true }))];
}

async function press(): Promise<void> {
  const button = document.querySelector('button');
  button?.click();
  await vi.waitFor(() => expect(button?.getAttribute('aria-disabled')).toBeNull());
}

function shown(): (string | null)[] {
  return [...document.querySelectorAll('#list > li')].map((row) => row.getAttribute('data-id'));
}

describe('more testimonials', () => {
  it.each([
    ['', IDS],
    ['ae', [...IDS.slice(0, 6), ...IDS.slice(12), ...IDS.slice(6, 12)]],
  ])('for the country "%s" brings every one once, the own country’s first', async (country, order) => {
    await show(country);
    while (document.querySelector('button')) await press();
    expect(shown()).toEqual(order);
    expect(document.querySelector('[role=status]')?.textContent).toBe('16 of 16');
  });

  it.each([
    ['', IDS],
    ['ae', COUNTRY_FIRST],
  ])('for the country "%s" goes on where the page’s own order ends', async (country, order) => {
    await show(country, publishedRows());
    while (document.querySelector('button')) await press();
    expect(shown()).toEqual(order);
    expect(document.activeElement?.getAttribute('data-id')).toBe(order[12]);
  });

  it('is at least six at a time, asked for from the start', async () => {
    await show('ae');
    await press();
    expect(asked).toEqual(['countryCode=ae&more=0', 'countryCode=ae&more=6']);
    expect(shown().slice(6)).toEqual(['r13', 'r14', 'r15', 'r16', 'r7', 'r8']);
  });

  it('names no country where none is known', async () => {
    await show('');
    await press();
    expect(asked).toEqual(['more=0', 'more=6']);
  });

  it.each([
    ['with a logo after one without', withoutLogo, withLogo],
    ['without a logo after one with it', withLogo, withoutLogo],
  ])('is drawn as the page draws it: %s', async (_, first, next) => {
    review = next;
    await show('ae', [card('r1', { 'data-review-country': 'ae' }, first)]);
    await press();
    const expected = document.createElement('ul');
    expected.innerHTML = card('r13');
    const drawn = document.querySelector('[data-id=r13]');
    expected.normalize();
    expect(drawn?.isEqualNode(expected.firstElementChild), `${drawn?.outerHTML}\n${expected.innerHTML}`).toBe(true);
  });

  it('is drawn in the words of the answer where the browser has translated the first card', async () => {
    await show('');
    translate(document.body);
    await press();
    const expected = document.createElement('ul');
    expected.innerHTML = card('r7');
    const drawn = document.querySelector('[data-id=r7]');
    expect([drawn?.textContent, drawn?.querySelector('font')]).toEqual([expected.textContent, null]);
  });
});
