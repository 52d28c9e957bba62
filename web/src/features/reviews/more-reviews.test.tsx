import '../../testing/dom.ts';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import { MoreReviews } from './more-reviews.island.tsx';

const example = blockExamples()
  .map(({ block }) => block)
  .find((block) => block.type === 'testimonials');
if (example?.type !== 'testimonials') throw new Error('the contract has an example of testimonials');
const [review] = example.reviews;
if (!review) throw new Error('the example has reviews');

/** Sixteen reviews; from number 13 on they are of Emirati clients. */
const IDS = Array.from({ length: 16 }, (_, index) => `r${index + 1}`);
const COUNTRY_FIRST = [...IDS.slice(12), ...IDS.slice(0, 12)];

let root: Root;
let asked: string[];

async function show(country: string): Promise<void> {
  document.documentElement.dataset['country'] = country;
  const container = document.getElementById('root');
  if (!container) throw new Error('there is a root');
  root = createRoot(container);
  const labels = { more: 'More', shown: '{n} of {total}', failed: 'Failed', retry: 'Again' };
  await act(async () =>
    root.render(<MoreReviews listId="list" scores={{ '5': '5,0 von 5' }} count={6} total={16} labels={labels} />),
  );
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  document.body.innerHTML = `<ul id="list">${IDS.slice(0, 6)
    .map((id) => `<li data-id="${id}"></li>`)
    .join('')}</ul><div id="root"></div>`;
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
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

/** The page's list as it is published: the Emirati ones wait in it, and the last of the first yield to them. */
function publishCountries(): void {
  const item = (id: string, attributes: string) => `<li data-id="${id}" ${attributes}></li>`;
  const first = IDS.slice(0, 6).map((id, at) =>
    item(id, `data-review-country="gb" ${at > 1 ? 'data-yields-to="ae"' : ''}`),
  );
  const others = IDS.slice(12).map((id) => item(id, 'data-review-country="ae" hidden'));
  const list = document.getElementById('list');
  if (list) list.innerHTML = [...first, ...others].join('');
}

async function press(): Promise<void> {
  await act(async () => document.querySelector('button')?.click());
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
    publishCountries();
    await show(country);
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

  it('prints scores as the page does', async () => {
    await show('');
    await press();
    expect(document.querySelector('[data-id=r7] figcaption')?.textContent).toContain('5,0 von 5');
  });
});
