import { describe, expect, it } from 'vitest';
import { pageExample, sharedExample } from '../../scripts/examples.ts';
import type { PageContent, PageFacts } from '../contract/types.ts';
import { escapeJson } from './escape-json.ts';
import { structuredData } from './structured-data.ts';

const shared = sharedExample();
const home = pageExample();
const cover = home.blocks.flatMap((block) => (block.type === 'hero' && block.picture ? [block.picture] : []))[0];
const ORIGIN = shared.site.origin;
const URL = `${ORIGIN}/somewhere/x`;

function link(title: string, href: string) {
  return { title, href, external: false, site: null, hreflang: null };
}

function pageOf(template: PageContent['template'], facts: PageFacts | null = null): PageContent {
  return {
    ...home,
    template,
    title: 'X',
    facts,
    blocks: [],
    head: { ...home.head, canonical: URL },
    breadcrumb: [link('Home', '/'), link('Somewhere', '/somewhere')],
  };
}

/** Things by their type. */
function thingsOf(page: PageContent) {
  const graph = structuredData(page, shared) as { '@graph': Record<string, unknown>[] } | null;
  return Object.fromEntries((graph?.['@graph'] ?? []).map((thing) => [thing['@type'] as string, thing]));
}

const card = { id: '7', title: 'A berth plan in two seconds', summary: 'What we threw away.' };
const picture = cover ?? {
  url: '/x.svg',
  alt: '',
  width: 1,
  height: 1,
  mobile: null,
  tablet: null,
  desktop: null,
  vector: null,
  focus: null,
};

describe('structuredData', () => {
  it('says on the home page who the company is, where it is and whom to call', () => {
    const { Organization, WebSite, BreadcrumbList } = thingsOf({ ...home, breadcrumb: [] });
    expect(Organization).toMatchObject({
      name: 'Brightmoor',
      legalName: 'Brightmoor Engineering Ltd.',
      foundingDate: '2007-02-01',
      url: ORIGIN,
      logo: `${ORIGIN}/icon-512.png`,
      sameAs: shared.social.map(({ href }) => href),
    });
    const offices = shared.offices.filter(({ sets }) => sets.includes(shared.officeSet));
    expect(Organization?.address).toHaveLength(offices.length);
    expect(Organization?.contactPoint).toMatchObject([
      { telephone: '+1 214 555 0142', areaServed: ['US'] },
      { telephone: '+44 20 7946 0018', areaServed: ['GB', 'IE'] },
      { telephone: '+49 30 23125 014', areaServed: ['DE', 'AT'] },
    ]);
    expect(WebSite).toMatchObject({ inLanguage: 'en', publisher: { '@id': Organization?.['@id'] } });
    expect(BreadcrumbList).toBeUndefined();
  });

  it('has the way from the home page, with absolute addresses', () => {
    expect(thingsOf(pageOf('legal'))).toEqual({
      BreadcrumbList: {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { '@type': 'ListItem', position: 1, name: 'Home', item: ORIGIN },
          { '@type': 'ListItem', position: 2, name: 'Somewhere', item: `${ORIGIN}/somewhere` },
          { '@type': 'ListItem', position: 3, name: 'X', item: URL },
        ],
      },
    });
  });

  it.each([
    ['2026-03-05T10:00:00+01:00', '2026-03-05T10:00:00+01:00'],
    ['2026-02-01T10:00:00+01:00', '2026-03-01T00:00:00Z'],
    [null, '2026-03-01T00:00:00Z'],
  ])('dates an article of 1 March that was changed at %s by %s', (changed, dateModified) => {
    const facts: PageFacts = { family: 'article', ...card, previewImage: picture, date: '2026-03-01' };
    expect(thingsOf({ ...pageOf('article', facts), changed }).NewsArticle).toMatchObject({
      headline: card.title,
      datePublished: '2026-03-01T00:00:00Z',
      dateModified,
      author: { '@type': 'Organization', name: 'Brightmoor' },
      mainEntityOfPage: URL,
      image: home.sharing.picture,
    });
  });

  it('cuts a headline between words', () => {
    const facts: PageFacts = {
      family: 'blueprint',
      ...card,
      title: 'berth '.repeat(30),
      cover: picture,
      date: '2026-03-01',
    };
    const { headline } = thingsOf(pageOf('blueprint', facts)).TechArticle as { headline: string };
    expect(headline).toMatch(/^(berth )+berth…$/);
    expect(headline.length).toBeLessThanOrEqual(110);
  });

  it.each([
    ['Hamburg', 'OfflineEventAttendanceMode', { '@type': 'Place', name: 'Hamburg' }],
    ['', 'OnlineEventAttendanceMode', { '@type': 'VirtualLocation', url: URL }],
  ])('says where an event is: %j', (city, mode, location) => {
    const country = city && 'de';
    const facts: PageFacts = {
      family: 'event',
      ...card,
      cover: picture,
      start: '2026-03-01',
      end: '2026-03-03',
      past: false,
      city,
      country,
      registration: 'https://tickets.example/1',
    };
    expect(thingsOf(pageOf('event', facts)).Event).toMatchObject({
      offers: { '@type': 'Offer', url: 'https://tickets.example/1' },
      startDate: '2026-03-01',
      endDate: '2026-03-03',
      eventAttendanceMode: `https://schema.org/${mode}`,
      location,
    });
    expect(thingsOf(pageOf('event', { ...facts, past: true })).Event).not.toHaveProperty('offers');
  });

  it.each(['service', 'tech-stack'] as const)('offers a %s', (template) => {
    expect(thingsOf(pageOf(template)).Service).toMatchObject({ name: 'X', url: URL });
  });

  it('names the videos that a page shows, but for those nobody has dated', () => {
    const films = home.blocks.flatMap((block) => (block.type === 'videos' ? [block] : []));
    const [first] = films.flatMap(({ videos }) => videos);
    if (!first) throw new Error('the example has videos');
    const undated = films.map((block) => ({
      ...block,
      videos: block.videos.map((video) => ({ ...video, published: null })),
    }));
    expect(
      thingsOf({ ...pageOf('about'), blocks: [{ ...films[0], videos: [first] } as (typeof films)[0]] }).VideoObject,
    ).toEqual(
      expect.objectContaining({
        name: first.title,
        thumbnailUrl: ORIGIN + first.cover.url,
        uploadDate: `${first.published}T00:00:00Z`,
        embedUrl: `https://www.youtube-nocookie.com/embed/${first.videoId}`,
      }),
    );
    expect(thingsOf({ ...pageOf('about'), blocks: undated }).VideoObject).toBeUndefined();
  });

  it('says nothing of an error page', () => {
    expect(structuredData({ ...home, head: { ...home.head, canonical: null } }, shared)).toBeNull();
  });
});

describe('escapeJson', () => {
  it.each(['</script><script>alert(1)</script>', '<!--<script>', 'a\u2028b\u2029c'])(
    'keeps %j inside its element',
    (text) => {
      const json = escapeJson({ name: text });
      expect(json).not.toMatch(/[<\u2028\u2029]/);
      expect(JSON.parse(json)).toEqual({ name: text });
    },
  );
});
