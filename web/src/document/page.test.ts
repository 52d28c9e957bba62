import '../testing/dom.ts';
import { runInThisContext } from 'node:vm';
import type axeCore from 'axe-core';
import { source } from 'axe-core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { describeViolations, RULES } from '../../scripts/accessibility.ts';
import { blockExamples, pageExample, pageOf, sharedExample } from '../../scripts/examples.ts';
import type { Block, PageContent, PageData, PageFacts, SharedData } from '../contract/types.ts';
import { ASSETS } from '../testing/assets.ts';
import { piecesOf } from './document.tsx';
import { BlockError, PageRenderer } from './page.tsx';

declare const axe: typeof axeCore;
runInThisContext(source); // as a module it may have been loaded for another file of this process, and knows that one's window

const NO_VARIANTS = { mobile: null, tablet: null, desktop: null, vector: '/media/example.svg', focus: null };

const page = pageExample();
const ltr = sharedExample();
const rtl: SharedData = {
  ...ltr,
  site: { ...ltr.site, key: 'ae', lang: 'ar-AE', dir: 'rtl', dateLocale: 'ar-AE-u-nu-latn-ca-gregory' },
};

let renderer: PageRenderer;
beforeEach(() => {
  renderer = new PageRenderer(ASSETS);
  renderer.addShared('ltr', ltr);
  renderer.addShared('rtl', rtl);
});

/** A page and its page data, put together from their pieces. */
function render(content: PageContent, shared: string, by = renderer): { html: string; pageData: PageData } {
  const { document, pageData } = by.render(content, shared);
  return { html: piecesOf(document).join(''), pageData: JSON.parse(pageData.join('')) };
}

function parse(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html');
}

/** Returns axe's problems in a page's main part. Axe visits every element many times, and most of a small page is frame. */
async function findViolations(html: string): Promise<string[]> {
  const page = parse(html);
  for (const element of [...page.body.children]) if (element.localName !== 'main') element.remove();
  return findViolationsIn(page);
}

/** Returns axe's problems in a page, which has to be in the test's own document. */
async function findViolationsIn(parsed: Document): Promise<string[]> {
  document.replaceChild(document.adoptNode(parsed.documentElement), document.documentElement);
  // jsdom draws nothing; axe tries to draw to find icon fonts, and accepts a failure.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const { violations } = await axe.run(document, { rules: RULES });
  return describeViolations(violations);
}

it.each([true, false])('has dark grounds for who asks for them where the company has them (%s)', (darkTheme) => {
  renderer.addShared('theme', { ...ltr, site: { ...ltr.site, darkTheme } });
  expect(parse(render(page, 'theme').html).documentElement.hasAttribute('data-dark')).toBe(darkTheme);
});

describe('every example of a block', () => {
  // From right to left: `e2e/test_gallery.py`, and every block once in the whole page below.
  it.each(blockExamples())('$name is accessible', async ({ block }) => {
    expect(await findViolations(render(pageOf(block), 'ltr').html)).toEqual([]);
  });

  it.each(blockExamples())('$name is one section with its tone and its anchor', ({ block }) => {
    const { pageData } = render(pageOf(block), 'ltr');
    const sections = parse(pageData.html).querySelectorAll('body > *');
    const section = sections[sections.length - 1];
    expect(section?.getAttribute('data-tone')).toBe(block.tone);
    expect(section?.id).toBe(block.anchor ?? '');
    expect(pageData.html).not.toContain('<link');
  });
});

describe('a block that has nothing to show', () => {
  const EMPTY = { projects: [], articles: [], events: [], videos: [], certificates: [], cvs: [], reviews: [] };
  const types = [
    'project_teasers',
    'news_teasers',
    'event_teasers',
    'project_map',
    'videos',
    'certificates',
    'team',
    'testimonials',
  ] as const;

  it.each(types)('%s is not there, and no anchor menu leads to it', (type) => {
    const full = page.blocks.find((block) => block.type === type);
    if (!full) throw new Error('the example page has every block');
    const anchors = ['nothing', 'text', 'more'].map((anchor) => ({ anchor, title: `The ${anchor}` }));
    const text = (anchor: string): Block => ({
      type: 'rich_text',
      id: anchor,
      tone: 'paper',
      anchor,
      html: '<p>It.</p>',
    });
    const content = pageOf({ ...full, anchor: 'nothing' });
    const blocks = [...content.blocks, text('text'), text('more')];
    const menuOf = (last: Block[]) => {
      const { body } = parse(render({ ...content, template: 'about', anchors, blocks: last }, 'ltr').html);
      return [...body.querySelectorAll('[data-anchor-menu] a')].map((link) => link.getAttribute('href'));
    };
    expect(menuOf(blocks)).toEqual(['#nothing', '#text', '#more']);
    const emptied = blocks.map((block) => (block.type === type ? ({ ...block, ...EMPTY } as Block) : block));
    expect(menuOf(emptied)).toEqual(['#text', '#more']);
    const { pageData } = render({ ...content, blocks: emptied }, 'ltr');
    expect(parse(pageData.html).querySelectorAll('section')).toHaveLength(3);
  });
});

describe('the closing of a case study', () => {
  const list = page.blocks.find((block) => block.type === 'project_list');
  if (list?.type !== 'project_list') throw new Error('the example page has a list of projects');
  const [first, ...related] = list.projects;
  if (!first) throw new Error('the list has projects');
  const { id, client, country, industries, services, technologies, cover } = first;
  const text: Block = { type: 'rich_text', id: 't', tone: 'paper', anchor: null, html: '<h2>What was wrong</h2>' };
  const invitation = page.blocks.filter(({ type }) => type === 'call_to_action');
  const listing = { title: 'Case studies', href: '/project-cases', external: false, site: null, hreflang: null };

  function caseStudy(gallery: (typeof cover)[], others: typeof related, blocks: Block[]): PageContent {
    const about = { id, client, country, industries, services, technologies };
    const facts: PageFacts = { family: 'case-study', ...about, gallery, related: others };
    return { ...pageOf(text), template: 'case-study', facts, breadcrumb: [listing], blocks };
  }

  /** Second headings of the page in their order. */
  function headings(content: PageContent, shared = 'ltr'): (string | null)[] {
    const { body } = parse(render(content, shared).html);
    return [...body.querySelectorAll('main h2')].map(({ textContent }) => textContent);
  }

  const hero = page.blocks.filter(({ type }) => type === 'hero');
  const last = invitation.map((block) => (block.type === 'call_to_action' ? block.title : ''));

  it.each(['ltr', 'rtl'])('is accessible from %s', async (dir) => {
    const content = caseStudy([cover, cover], related, [...hero, text, ...invitation]);
    expect(await findViolations(render(content, dir).html)).toEqual([]);
  });

  it('stands before the last call to action, else at the end', () => {
    const closing = ['The project in pictures', 'Similar projects'];
    expect(headings(caseStudy([cover], related, [...hero, text, ...invitation]))).toEqual([
      'What was wrong',
      ...closing,
      ...last,
    ]);
    expect(headings(caseStudy([cover], related, [...hero, ...invitation, text]))).toEqual([
      ...last,
      'What was wrong',
      ...closing,
    ]);
  });

  it('has the way back to the list below its relatives, and is not there where there is nothing to show', () => {
    const { body } = parse(render(caseStudy([], related, [...hero, text]), 'ltr').html);
    const links = [...body.querySelectorAll('main section:last-child a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual([...related.map(({ link }) => link.href), listing.href]);
    expect(headings(caseStudy([], [], [...hero, text]))).toEqual(['What was wrong']);
  });
});

describe('the opening of', () => {
  const [hero] = page.blocks;
  if (hero?.type !== 'hero') throw new Error('the example begins with a hero');
  const card = { id: '7', title: 'A berth plan in two seconds', summary: 'What we threw away.' };
  const cover = { ...(hero.picture ?? { url: '', width: 1, height: 1, ...NO_VARIANTS }), alt: 'A chart' };
  const list = { title: 'Insights', href: '/company/insights', external: false, site: null, hreflang: null };
  const text: Block = {
    type: 'rich_text',
    id: 't',
    tone: 'paper',
    anchor: null,
    html: '<h2>What we measured</h2><p>Everything.</p>',
  };
  const FACTS: PageFacts[] = [
    { family: 'article', ...card, previewImage: cover, date: '2026-03-01' },
    { family: 'blueprint', ...card, cover, date: '2026-03-01' },
    {
      family: 'event',
      ...card,
      cover,
      start: '2026-03-01',
      end: '2026-03-03',
      past: false,
      city: 'Hamburg',
      country: 'de',
      registration: '',
    },
  ];
  const cases = FACTS.flatMap((facts) => [
    { facts, dir: 'ltr', blocks: [text] },
    { facts, dir: 'ltr', blocks: [hero, text] },
    { facts, dir: 'rtl', blocks: [text] },
  ]);

  function pageWith(facts: PageFacts, blocks: Block[]): PageContent {
    return { ...page, path: '/x', key: 'x', template: facts.family, facts, breadcrumb: [list], blocks };
  }

  it.each(cases)('$facts.family is accessible from $dir', async ({ facts, dir, blocks }) => {
    const { html } = render(pageWith(facts, blocks), dir);
    expect(await findViolations(html)).toEqual([]);
  });

  it.each(FACTS)('$family leads back to its list and has one h1: the title, or the hero’s', (facts) => {
    const plain = parse(render(pageWith(facts, [text]), 'ltr').html);
    expect([...plain.querySelectorAll('h1')].map((title) => title.textContent)).toEqual([card.title]);
    expect(plain.querySelector('main a')?.getAttribute('href')).toBe(list.href);
    expect(plain.querySelector('main img')?.getAttribute('alt')).toBe('A chart');
    const { body } = parse(render(pageWith(facts, [hero, text]), 'ltr').html);
    expect([...body.querySelectorAll('h1')].map((title) => title.textContent)).toEqual([hero.title]);
    expect(body.querySelector('main time')?.getAttribute('datetime')).toBe('2026-03-01');
  });

  it('a hero without a picture takes the card’s, and keeps its own', () => {
    const [facts] = FACTS;
    if (facts?.family !== 'article' || !hero.picture) throw new Error('there are facts and a hero with a picture');
    const drawn = { ...cover, vector: '/media/card.svg' };
    const article = (picture: typeof hero.picture | null) => {
      const content = pageWith({ ...facts, previewImage: drawn }, [{ ...hero, picture }, text]);
      return parse(render(content, 'ltr').html).querySelector('main img');
    };
    expect([article(null)?.getAttribute('src'), article(null)?.getAttribute('alt')]).toEqual(['/media/card.svg', '']);
    expect(article(hero.picture)?.getAttribute('alt')).toBe(hero.picture.alt);
  });

  it('an article counts its visits, an event says where it is', () => {
    const [article, , event] = FACTS;
    if (!article || !event) throw new Error('there are facts of each');
    const views = parse(render(pageWith(article, [text]), 'ltr').html).querySelector('[data-article]');
    expect([views?.getAttribute('data-article'), views?.getAttribute('data-family')]).toEqual(['7', 'article']);
    const { body } = parse(render(pageWith(event, [text]), 'rtl').html);
    expect(body.querySelector('main section')?.textContent).toContain('1–3 مارس 2026');
    expect(body.querySelector('main section')?.textContent).toContain('Hamburg، ألمانيا');
    expect(body.querySelector('[data-article]')).toBeNull();
  });

  it('other families is their blocks’ own', () => {
    const { body } = parse(render({ ...page, facts: null, breadcrumb: [list] }, 'ltr').html);
    expect(body.querySelector(`main a[href="${list.href}"]`)).toBeNull();
  });
});

describe('a whole page', () => {
  it.each(['ltr', 'rtl'])('is accessible from %s, with its frame and every block', async (dir) => {
    const document = parse(render(page, dir).html);
    expect(document.documentElement.dir).toBe(dir);
    expect(await findViolationsIn(document)).toEqual([]);
  });

  it('has one h1, one main, and a link that skips to it first', () => {
    const { body } = parse(render(page, 'ltr').html);
    expect(body.querySelectorAll('h1')).toHaveLength(1);
    expect(body.querySelectorAll('main#_main')).toHaveLength(1);
    expect(body.firstElementChild?.getAttribute('href')).toBe('#_main');
    const notices = ['section', 'section'];
    const rest = ['header', 'main', 'footer', 'dialog', 'p', 'div', 'p', 'div', 'script', 'script'];
    expect([...body.children].map((element) => element.localName)).toEqual(['a', ...notices, ...rest]);
  });

  it('says in its head what it is and where it is', () => {
    const { head, documentElement } = parse(render(page, 'rtl').html);
    expect([documentElement.lang, documentElement.dir, documentElement.dataset['site']]).toEqual([
      'ar-AE',
      'rtl',
      'ae',
    ]);
    expect(head.querySelector('title')?.textContent).toBe(page.head.title);
    expect(head.querySelector('[rel=canonical]')?.getAttribute('href')).toBe(page.head.canonical);
    const alternates = [...head.querySelectorAll('[rel=alternate]')].map((link) => link.getAttribute('hreflang'));
    expect(alternates).toEqual(page.head.alternates.map(({ hreflang }) => hreflang));
    expect(head.querySelector('[rel=preload][as=font]')?.getAttribute('href')).toBe('/assets/arabic.woff2');
    expect(head.querySelectorAll('[name=robots]')).toHaveLength(0);
  });

  it('says robots, and no canonical, where it has them so', () => {
    const error: PageContent = { ...page, head: { ...page.head, canonical: null, alternates: [], robots: 'noindex' } };
    const { head } = parse(render(error, 'ltr').html);
    expect(head.querySelector('[name=robots]')?.getAttribute('content')).toBe('noindex');
    expect(head.querySelectorAll('[rel=canonical], [property="og:url"], [rel=alternate]')).toHaveLength(0);
  });

  it('carries the props of its islands, and the files they need', () => {
    const { html, pageData } = render(page, 'ltr');
    const document = parse(html);
    const data = JSON.parse(document.querySelector('script#_islands')?.textContent ?? '');
    expect(data.islands).toEqual(pageData.islands);
    const ids = [...document.querySelectorAll('[data-island]')].map((element) => element.id);
    expect(ids).toEqual(pageData.islands.map((island) => island.id));
    expect(data.preload).toContain('/assets/react.js');
    expect(new Set(data.preload).size).toBe(data.preload.length);
  });

  it('without islands has no script but the loader and what is decided before it paints', () => {
    const plain: PageContent = { ...page, switcher: [], blocks: page.blocks.filter(({ type }) => type === 'hero') };
    const document = parse(render(plain, 'ltr').html);
    expect(document.querySelectorAll('#_islands, [data-island], [data-switcher]')).toHaveLength(0);
    const scripts = [...document.querySelectorAll('script:not([type="application/ld+json"])')];
    expect(scripts.map((script) => script.getAttribute('data-loader') ?? script.id)).toEqual([
      '_visitor',
      ASSETS.script,
      '_runtime',
    ]);
  });

  it('carries what the page runtime does on its site', () => {
    const document = parse(render(page, 'ltr').html);
    expect(JSON.parse(document.querySelector('script#_runtime')?.textContent ?? '')).toEqual(ltr.runtime);
  });

  it('cannot be broken out of by what editors write', () => {
    const evil = '</script><script>alert(1)</script><!--';
    const [office] = ltr.offices;
    if (!office) throw new Error('the example has offices');
    const category = { ...office.category, name: evil };
    const offices: Block = {
      type: 'offices',
      id: 'offices',
      tone: 'paper',
      anchor: null,
      title: evil,
      text: evil,
      offices: [{ ...office, category }],
    };
    const form = blockExamples()
      .map(({ block }) => block)
      .find(({ type }) => type === 'contact_form');
    if (form?.type !== 'contact_form') throw new Error('the examples have a form');
    const content: PageContent = {
      ...page,
      template: 'service',
      title: evil,
      head: { ...page.head, title: evil, description: evil },
      breadcrumb: [{ title: evil, href: '/', external: false, site: null, hreflang: null }],
      blocks: [offices, { ...form, definition: { ...form.definition, submit: evil } }],
    };
    const { html, pageData } = render(content, 'ltr');
    const document = parse(html);
    expect(document.querySelectorAll('script')).toHaveLength(5);
    expect(document.title).toBe(evil);
    expect(JSON.stringify(pageData.islands)).toContain(evil);
    expect(JSON.parse(document.querySelector('#_islands')?.textContent ?? '').islands).toEqual(pageData.islands);
    expect(html).toContain(pageData.html);
  });

  it('has ids of its own that no anchor of an editor can be', () => {
    const content: PageContent = { ...page, blocks: blockExamples().map(({ block }) => ({ ...block, anchor: null })) };
    const ids = [...parse(render(content, 'ltr').html).querySelectorAll('[id]')].map(({ id }) => id);
    expect(ids.filter((id) => !id.includes('_'))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has no style attribute, which the policy of the sites would refuse', () => {
    const content: PageContent = { ...page, blocks: blockExamples().map(({ block }) => block) };
    expect(parse(render(content, 'ltr').html).querySelectorAll('[style], style')).toHaveLength(0);
  });

  it('has no id twice', () => {
    const content: PageContent = { ...page, blocks: blockExamples().map(({ block }) => ({ ...block, anchor: null })) };
    const ids = [...parse(render(content, 'ltr').html).querySelectorAll('[id]')].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe("a page in the original's language", () => {
  const fallback = { lang: 'en', dir: 'ltr', dateLocale: 'en-GB' } as const;

  it('has its own language and direction below a notice in that of the site', async () => {
    const { html, pageData } = render({ ...page, fallback }, 'rtl');
    const { documentElement, head, body } = parse(html);
    expect([documentElement.lang, documentElement.dir, documentElement.dataset['fallback']]).toEqual([
      'ar-AE',
      'rtl',
      'en',
    ]);
    const [notice, original, ...others] = [...(body.querySelector('main')?.children ?? [])];
    expect(notice?.textContent).toBe('هذه الصفحة متوفرة فقط باللغة الإنجليزية.');
    expect([original?.getAttribute('lang'), original?.getAttribute('dir'), others.length]).toEqual(['en', 'ltr', 0]);
    expect(original?.querySelector('h1')).not.toBeNull();
    expect(head.querySelector('title')?.getAttribute('lang')).toBe('en');
    expect(head.querySelector('[type$="ld+json"]')).toBeNull();
    expect(pageData.fallback).toBe('en');
    expect(await findViolations(html)).toEqual([]);
  });

  it('needs no notice where only the country differs', () => {
    renderer.addShared('uk', { ...ltr, site: { ...ltr.site, lang: 'en-GB' } });
    const { body } = parse(render({ ...page, fallback }, 'uk').html);
    expect(body.querySelector('[data-fallback-notice]')).toBeNull();
    expect(body.querySelector('main > [lang="en"]')).not.toBeNull();
  });

  it.each([
    ['de-DE', 'Diese Seite gibt es nur auf Englisch.'],
    ['fr-FR', 'Cette page n’existe qu’en anglais.'],
    ['pl-PL', 'Ta strona istnieje tylko w jednym języku: angielski.'],
    ['ru-KZ', 'Эта страница есть только на одном языке: английский.'],
    ['az-AZ', 'Bu səhifə yalnız ingilis dilindədir.'],
  ])('tells it in %s', (lang, text) => {
    renderer.addShared('there', { ...ltr, site: { ...ltr.site, lang } });
    const { html } = render({ ...page, fallback }, 'there');
    expect(parse(html).querySelector('[data-fallback-notice]')?.textContent).toBe(text);
  });
});

describe('what asks for consent', () => {
  const strict: SharedData = { ...ltr, visitor: { ...ltr.visitor, consentProfile: 'strict' } };
  beforeEach(() => renderer.addShared('strict', strict));

  it.each(['gdpr', 'small'])('stands in every page, hidden: %s', (theme) => {
    const notice = parse(render(page, 'ltr').html).querySelector(`section[data-consent-theme=${theme}]`);
    expect(notice?.hasAttribute('hidden')).toBe(true);
    expect(notice?.getAttribute('aria-label')).not.toBe('');
    expect(notice?.querySelector('a')?.getAttribute('href')).toBe('/cookies-policy');
    expect(notice?.getAttribute('data-text-hash')).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ['ltr', 'gdpr', ['Show more', 'Accept all', 'Manage']],
    ['ltr', 'small', ['Accept all']],
    ['strict', 'gdpr', ['Show more', 'Accept all', 'Reject all', 'Manage']],
    ['strict', 'small', ['Accept all', 'Reject all']],
  ])('has in %s, %s the buttons %j', (shared, theme, buttons) => {
    const { body } = parse(render(page, shared).html);
    const found = body.querySelectorAll(`section[data-consent-theme=${theme}] button`);
    expect([...found].map((button) => button.textContent)).toEqual(buttons);
  });

  it.each(['gdpr', 'small'])('is accessible when it is shown: %s', async (theme) => {
    const hidden = new RegExp(`(data-consent-theme="${theme}" data-text-hash="\\w+") hidden=""`);
    // The banner is in the frame, so a page with the opening alone is enough, and axe is faster.
    const opening = { ...page, blocks: page.blocks.slice(0, 1) };
    const shown = render(opening, 'strict').html.replace(hidden, '$1').replace('<dialog', '<dialog open=""');
    expect(shown).not.toMatch(hidden);
    expect(await findViolationsIn(parse(shown))).toEqual([]);
  });

  it('can be asked for again at the foot of every page', () => {
    const { body } = parse(render(page, 'rtl').html);
    expect(body.querySelector('footer [data-consent-settings]')?.textContent).toBe('إعدادات ملفات تعريف الارتباط');
  });
});

describe('rendering', () => {
  const other: PageContent = { ...page, path: '/about-us', header: 'solid', motif: 7 };

  it('gives the same page whatever was rendered before', () => {
    const fresh = render(page, 'ltr');
    const used = new PageRenderer(ASSETS);
    used.addShared('rtl', rtl);
    render(page, 'rtl', used);
    used.addShared('ltr', ltr);
    render(other, 'ltr', used);
    render({ ...page, blocks: [...page.blocks].reverse() }, 'ltr', used);
    expect(render(page, 'ltr', used)).toEqual(fresh);
    expect(render(page, 'ltr', used)).toEqual(fresh);
  });

  it('marks the link to the page itself in the frame, and there alone', () => {
    const current = (content: PageContent) =>
      [
        ...parse(render(content, 'ltr').html).querySelectorAll(
          'header nav [aria-current=page], footer [aria-current=page]',
        ),
      ].map((link) => link.getAttribute('href'));
    expect(new Set(current(other))).toEqual(new Set(['/about-us']));
    expect(current(page)).toEqual([]);
  });

  it('names the block that cannot be rendered', () => {
    const [hero] = page.blocks;
    if (!hero) throw new Error('the example has blocks');
    const broken: Block = JSON.parse('{"type":"stats","id":"s","tone":"paper","anchor":null,"title":"","stats":null}');
    const unknown: Block = JSON.parse('{"type":"carousel","id":"c"}');
    for (const block of [broken, unknown]) {
      const attempt = () => render({ ...page, blocks: [hero, block] }, 'ltr');
      expect(attempt).toThrow(BlockError);
      expect(attempt).toThrow(expect.objectContaining({ index: 1, type: block.type }));
    }
  });

  it('asks for shared data that was not sent', () => {
    expect(() => render(page, 'nowhere')).toThrow('Shared data nowhere is not here');
  });

  it('forgets the oldest shared data, not the newest', () => {
    const small = new PageRenderer(ASSETS, 2);
    for (const hash of ['1', '2', '1', '3']) small.addShared(hash, ltr);
    expect(() => render(page, '2', small)).toThrow('not here');
    expect(render(page, '1', small).pageData.shared).toBe('1');
  });
});
