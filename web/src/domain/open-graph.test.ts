import { expect, it } from 'vitest';
import { pageExample } from '../../scripts/examples.ts';
import { OWN_PROPERTIES, openGraph } from './open-graph.ts';

const page = pageExample();

it('says what is shown where the page is shared', () => {
  const { head, sharing } = page;
  expect(openGraph(page)).toEqual([
    ['og:type', 'website'],
    ['og:title', head.title],
    ['og:description', head.description],
    ['og:url', head.canonical],
    ['og:locale:alternate', 'de_DE'],
    ['og:locale:alternate', 'ar_AE'],
    ['og:image', sharing.picture],
    ['og:image:alt', head.title],
  ]);
});

it('leaves out what a page has not', () => {
  const bare = { ...page, head: { ...page.head, canonical: null }, sharing: { picture: null, locales: [] } };
  expect(openGraph(bare).map(([property]) => property)).toEqual(['og:type', 'og:title', 'og:description']);
});

it('knows an article', () => {
  expect(openGraph({ ...page, template: 'article' })[0]).toEqual(['og:type', 'article']);
});

it('names all it may say, so that another page can take it back', () => {
  expect(new Set(openGraph(page).map(([property]) => property))).toEqual(new Set(OWN_PROPERTIES));
});
