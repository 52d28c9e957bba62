/** Every interactive part and where its code is. A component that is not in this list cannot be an island. */
export const ISLANDS = {
  'lead-form': async () => (await import('../features/lead-form/lead-form.tsx')).LeadForm,
  'more-news': async () => (await import('../features/news/more-news.tsx')).MoreNews,
  'more-reviews': async () => (await import('../features/reviews/more-reviews.tsx')).MoreReviews,
  'office-filter': async () => (await import('../features/offices/office-filter.tsx')).OfficeFilter,
  'project-filter': async () => (await import('../features/projects/project-filter.tsx')).ProjectFilter,
};

export type IslandName = keyof typeof ISLANDS;
