/**
 * The page as schema.org data in JSON-LD, for search engines. It contains only facts that a visitor sees in the page or its
 * footer.
 */
import type {
  Article,
  BreadcrumbList,
  Event,
  Graph,
  Organization,
  PostalAddress,
  Service,
  Thing,
  VideoObject,
  WebSite,
} from 'schema-dts';
import type {
  ArticleFacts,
  BlueprintFacts,
  EventFacts,
  Office,
  PageContent,
  Phone,
  SharedData,
  Video,
} from '../contract/types.ts';
import { layoutOf } from '../layouts/of-plugins.ts';
import { PLAYER } from '../ui/video-card/video-card.tsx';

/** Families whose pages offer something one can buy. */
const SERVICES: ReadonlySet<PageContent['template']> = new Set(['service', 'tech-stack'] as const);
/** The length of a headline that search engines show; they cut longer ones anywhere. */
const HEADLINE_LENGTH = 110;

/** Null for error pages, which have no address to be about. */
export function structuredData(page: PageContent, shared: SharedData): Graph | null {
  const url = page.head.canonical;
  if (url === null) return null;
  const things: Thing[] = [
    ...(page.template === 'home' ? [organization(shared), webSite(shared)] : []),
    ...(layoutOf(page)?.describe?.(page, url, shared.site) ?? about(page, url, shared)),
    ...page.blocks.flatMap((block) => (block.type === 'videos' ? block.videos.flatMap((it) => video(it, shared)) : [])),
    ...breadcrumb(page, url, shared),
  ];
  return things.length === 0 ? null : { '@context': 'https://schema.org', '@graph': things };
}

function about(page: PageContent, url: string, shared: SharedData): Thing[] {
  switch (page.facts?.family) {
    case 'article':
      return [article('NewsArticle', page, page.facts, url, shared)];
    case 'blueprint':
      return [article('TechArticle', page, page.facts, url, shared)];
    case 'event':
      return [event(page, page.facts, url, shared)];
    default:
      return SERVICES.has(page.template) ? [service(page, url, shared)] : [];
  }
}

/** The company as this country's visitors know it: with their offices, and a number for each country that has one. */
function organization({ site, offices, officeSet, phones, social }: SharedData): Organization {
  return {
    ...company(site),
    legalName: site.legalName,
    foundingDate: site.founded,
    sameAs: social.map(({ href }) => href),
    address: offices.filter(({ sets }) => sets.includes(officeSet)).map(postalAddress),
    contactPoint: phones.map((phone) => contactPoint(phone, site.lang)),
  };
}

/** The company where something else is the subject. */
function company({ origin, company: name, logo }: SharedData['site']) {
  return { '@type': 'Organization', '@id': `${origin}/#organization`, name, url: origin, logo } as const;
}

function postalAddress({ address, city, country }: Office): PostalAddress {
  return {
    '@type': 'PostalAddress',
    streetAddress: address,
    addressLocality: city,
    addressCountry: country.toUpperCase(),
  };
}

function contactPoint({ phone, countries }: Phone, lang: string) {
  return {
    '@type': 'ContactPoint',
    telephone: phone,
    contactType: 'sales',
    areaServed: countries.map((country) => country.toUpperCase()),
    availableLanguage: lang,
  } as const;
}

function webSite({ site }: SharedData): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${site.origin}/#website`,
    name: site.company,
    url: site.origin,
    inLanguage: site.lang,
    publisher: { '@id': `${site.origin}/#organization` },
  };
}

function article(
  type: 'NewsArticle' | 'TechArticle',
  { changed, sharing }: PageContent,
  facts: ArticleFacts | BlueprintFacts,
  url: string,
  { site }: SharedData,
): Article {
  const published = `${facts.date}T00:00:00Z`;
  const picture = facts.family === 'article' ? facts.previewImage : facts.cover;
  return {
    '@type': type,
    headline: cut(facts.title, HEADLINE_LENGTH),
    description: facts.summary,
    image: sharing.picture ?? site.origin + picture.url,
    datePublished: published,
    // An article may be written before its date.
    dateModified: changed === null || new Date(changed) < new Date(published) ? published : changed,
    inLanguage: site.lang,
    mainEntityOfPage: url,
    author: company(site),
    publisher: company(site),
  };
}

function event(
  { sharing }: PageContent,
  { title, summary, cover, start, end, city, country, past, registration }: EventFacts,
  url: string,
  { site }: SharedData,
): Event {
  const online = city === '';
  return {
    '@type': 'Event',
    name: title,
    description: summary,
    image: sharing.picture ?? site.origin + cover.url,
    startDate: start,
    endDate: end,
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: `https://schema.org/${online ? 'Online' : 'Offline'}EventAttendanceMode`,
    location: online
      ? { '@type': 'VirtualLocation', url }
      : {
          '@type': 'Place',
          name: city,
          address: { '@type': 'PostalAddress', addressLocality: city, addressCountry: country.toUpperCase() },
        },
    inLanguage: site.lang,
    organizer: company(site),
    ...(registration && !past && { offers: { '@type': 'Offer', url: registration } }),
    url,
  };
}

function service({ title, head }: PageContent, url: string, { site }: SharedData): Service {
  return { '@type': 'Service', name: title, description: head.description, url, provider: company(site) };
}

/** A video without a date is left out, because search engines refuse it. */
function video({ title, cover, videoId, film, published }: Video, { site }: SharedData): VideoObject[] {
  if (!published) return [];
  return [
    {
      '@type': 'VideoObject',
      name: title,
      thumbnailUrl: site.origin + cover.url,
      uploadDate: `${published}T00:00:00Z`,
      ...(film ? { contentUrl: site.origin + film.url } : { embedUrl: PLAYER + videoId }),
      inLanguage: site.lang,
      publisher: company(site),
    },
  ];
}

/** The breadcrumb from the home page; with a single step it would be useless. */
function breadcrumb({ breadcrumb: above, title }: PageContent, url: string, { site }: SharedData): BreadcrumbList[] {
  if (above.length === 0) return [];
  const steps = [
    ...above.map((link) => ({ name: link.title, item: absolute(site.origin, link.href) })),
    { name: title, item: url },
  ];
  return [
    {
      '@type': 'BreadcrumbList',
      itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
    },
  ];
}

/** As canonical addresses are written: nothing behind the origin of a home page. */
function absolute(origin: string, path: string): string {
  return path === '/' ? origin : origin + path;
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length);
  return `${start.slice(0, start.lastIndexOf(' '))}…`;
}
