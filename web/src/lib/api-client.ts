/**
 * The content API as one typed function per operation of `contract/openapi.json` (spec §7).
 *
 * Functions and not one object, so that a page loads only those it calls. Callers catch `ApiError` (the API refused)
 * and the browser's own `TypeError` (the API could not be reached).
 */
import type {
  ArticleViews,
  ArticleViewsList,
  CertificateList,
  CvList,
  EmailVerdict,
  EventList,
  FacetName,
  FullProjectCardList,
  NewsItem,
  NewsList,
  NewsPagination,
  Office,
  OfficeList,
  PageReferenceList,
  PhoneList,
  ProjectCardList,
  ProjectGalleryList,
  ProjectPlaceList,
  RedirectList,
  Review,
  ReviewList,
  TestimonialPagination,
  VideoList,
} from '../contract/types.ts';
import { type CallOptions, call, JSON_CONTENT, place, read, withQuery } from './api-call.ts';

export function listCertificates(options?: CallOptions): Promise<CertificateList> {
  return read('content/certificates', options);
}

export function listCvs(options?: CallOptions): Promise<CvList> {
  return read('content/cvs', options);
}

/** Those of the visitor's country first. */
export function listEvents(
  { countryCode }: { countryCode?: string | undefined } = {},
  options?: CallOptions,
): Promise<EventList> {
  return read('content/events', options, { 'Country-Code': countryCode });
}

export function listEventPages(options?: CallOptions): Promise<PageReferenceList> {
  return read('content/events/pages', options);
}

export function listFilteredProjects(facet: FacetName, value: string, options?: CallOptions): Promise<ProjectCardList> {
  return read(place`content/filter/${facet}/${value}`, options);
}

export function listInsightShorts(options?: CallOptions): Promise<VideoList> {
  return read('content/insights-shorts', options);
}

export function listInsightVideos(options?: CallOptions): Promise<VideoList> {
  return read('content/insights-video', options);
}

export function listNews(options?: CallOptions): Promise<NewsList> {
  return read('content/news', options);
}

/** `page` counts from 1. */
export function paginateNews(
  { page, perPage }: { page?: number | undefined; perPage?: number | undefined } = {},
  options?: CallOptions,
): Promise<NewsPagination> {
  return read(withQuery('content/news/pagination', { page, perPage }), options);
}

export function readNews(id: string, options?: CallOptions): Promise<NewsItem> {
  return read(place`content/news/${id}`, options);
}

export function listOffices(options?: CallOptions): Promise<OfficeList> {
  return read('content/offices', options);
}

export function readOffice(id: string, options?: CallOptions): Promise<Office> {
  return read(place`content/offices/${id}`, options);
}

export function listPhones(options?: CallOptions): Promise<PhoneList> {
  return read('content/phones', options);
}

/** Addresses without a page, as the live site answers them. */
export function listRedirects(options?: CallOptions): Promise<RedirectList> {
  return read('content/redirects', options);
}

/** The projects shown on a page. */
export function listProjectCards({ pageKey }: { pageKey: string }, options?: CallOptions): Promise<ProjectCardList> {
  return read('content/projects/cards', options, { 'Page-Key': pageKey });
}

export function listFullProjectCards(options?: CallOptions): Promise<FullProjectCardList> {
  return read('content/projects/full-cards', options);
}

export function listProjectGalleries(options?: CallOptions): Promise<ProjectGalleryList> {
  return read('content/projects/galleries', options);
}

export function listProjectPlaces(options?: CallOptions): Promise<ProjectPlaceList> {
  return read('content/projects/map', options);
}

export function listProjectPages(options?: CallOptions): Promise<PageReferenceList> {
  return read('content/projects/pages', options);
}

/** Other projects that share a facet's values with the case study `slug`. */
export function listRelatedProjects(facet: FacetName, slug: string, options?: CallOptions): Promise<ProjectCardList> {
  return read(place`content/projects/related/${facet}/${slug}`, options);
}

export function listTopProjects(options?: CallOptions): Promise<ProjectCardList> {
  return read('content/projects/top', options);
}

/** The reviews shown on a page, those of the visitor's country first. */
export function listReviews(
  { pageKey, countryCode }: { pageKey?: string | undefined; countryCode?: string | undefined } = {},
  options?: CallOptions,
): Promise<ReviewList> {
  return read('content/reviews', options, { 'Page-Key': pageKey, 'Country-Code': countryCode });
}

export function readReview(id: string, options?: CallOptions): Promise<Review> {
  return read(place`content/reviews/${id}`, options);
}

/** `more` is how many are shown already. */
export function paginateTestimonials(
  { countryCode, more }: { countryCode?: string | undefined; more?: number | undefined } = {},
  options?: CallOptions,
): Promise<TestimonialPagination> {
  return read(withQuery('content/reviews/testimonial/pagination', { countryCode, more }), options);
}

export function listArticleViews(options?: CallOptions): Promise<ArticleViewsList> {
  return read('integration/articles/views', options);
}

export function readBlueprintViews(id: string, options?: CallOptions): Promise<ArticleViews> {
  return read(place`integration/articles/blueprints/views/${id}`, options);
}

/** Counts one visit of an article or blueprint. */
export function addArticleView(id: string, options?: CallOptions): Promise<ArticleViews> {
  return call(place`integration/articles/views/${id}`, { method: 'PUT', ...options }, JSON_CONTENT);
}

export function validateEmail(address: string, options?: CallOptions): Promise<EmailVerdict> {
  // A header carries ASCII; addresses need not.
  return read('integration/validation/email', options, { 'Email-Validation': encodeURIComponent(address) });
}
