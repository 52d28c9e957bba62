import { describe, expect, it } from 'vitest';
import { blockExamples, pageExample, sharedExample } from '../../scripts/examples.ts';
import type { PageContent, PageFacts, SharedData } from '../contract/types.ts';
import { ASSETS } from '../testing/assets.ts';
import { type Piece, piecesOf } from './document.tsx';
import { PageRenderer, type RenderedPage } from './page.tsx';

const page = pageExample();
const before = sharedExample();
const card = { id: '7', title: 'A berth plan', summary: 'What we threw away.', date: '2026-03-01' };
const cover = {
  url: '/c.webp',
  width: 1,
  height: 1,
  alt: '',
  mobile: null,
  tablet: null,
  desktop: null,
  vector: null,
  focus: null,
};
const article: PageFacts = { family: 'article', ...card, previewImage: cover };
const list = { title: 'Insights', href: '/insights', external: false, site: null, hreflang: null };

const PAGES: Record<string, PageContent> = {
  'every block': { ...page, template: 'service', blocks: blockExamples().map(({ block }) => block) },
  'an article': { ...page, path: '/x', template: 'article', facts: article, breadcrumb: [list], header: 'solid' },
  'an error page': {
    ...page,
    path: '/404.html',
    template: 'error',
    switcher: [],
    head: { ...page.head, canonical: null, alternates: [], robots: 'noindex' },
    sharing: { picture: null, locales: [] },
  },
  'a page that the menu leads to': { ...page, path: '/about-us', template: 'about' },
  'letters beyond Latin-1, and what HTML and JSON escape': {
    ...page,
    path: '/y',
    template: 'service',
    title: '"Ø" & </script> ليالي',
    head: { ...page.head, title: '"Ø" & </script> ليالي', description: '","path":"' },
    blocks: [{ type: 'rich_text', id: 't', tone: 'paper', anchor: null, html: '<p>","path":" &amp; \\" ü ي</p>' }],
  },
};

const [item] = before.menu;
const OTHERS: Record<string, (shared: SharedData) => SharedData> = {
  menu: (shared) => ({ ...shared, menu: shared.menu.slice(1) }),
  'menu item': (shared) => ({ ...shared, menu: item ? [{ ...item, title: 'Renamed </main>' }] : [] }),
  footer: (shared) => ({ ...shared, footer: [], legalLinks: [], social: [] }),
  offices: (shared) => ({ ...shared, offices: shared.offices.slice(1), phones: [], year: 2031 }),
  visitor: (shared) => ({ ...shared, visitor: { ...shared.visitor, country: 'kz' } }),
};

function rtl(shared: SharedData): SharedData {
  return { ...shared, site: { ...shared.site, lang: 'ar-AE', dir: 'rtl', dateLocale: 'ar-AE' } };
}

function print<Part extends Piece>({ document, pageData }: RenderedPage<Part>): { html: string; pageData: string } {
  return { html: piecesOf(document).join(''), pageData: pageData.join('') };
}

describe.each(Object.keys(PAGES))('%s in another frame is what rendering it anew makes', (name) => {
  it.each(Object.keys(OTHERS))('%s', (changed) => {
    const content = PAGES[name];
    const change = OTHERS[changed];
    if (!content || !change) throw new Error('there is no such case');
    for (const site of [before, rtl(before)]) {
      const renderer = new PageRenderer(ASSETS);
      renderer.addShared('before', site);
      renderer.addShared('after', change(site));
      const { html, pageData } = print(renderer.render(content, 'before'));
      const spliced = print(renderer.splice(Buffer.from(html), Buffer.from(pageData), 'after'));
      expect(spliced).toEqual(print(renderer.render(content, 'after')));
      expect(spliced.html).not.toBe(html);
    }
  });
});

it.each([
  ['<html></html>', '{}', 'no document of ours'],
  ['<html data-shared="1"><script id="_visitor"></script></head><body><main id="_main">', '{}', 'no document of ours'],
  ['<html data-shared="1"><script id="_visitor"></script></head><body><main id="_main"></main>', '{}', 'none of ours'],
])('refuses what is no page of ours: %s', (html, pageData, said) => {
  const renderer = new PageRenderer(ASSETS);
  renderer.addShared('after', before);
  expect(() => renderer.splice(Buffer.from(html), Buffer.from(pageData), 'after')).toThrow(said);
});
