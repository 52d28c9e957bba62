/** Every interactive part and where its code is. A component that is not in this list cannot be an island. */
export const ISLANDS = {
  'language-switcher': async () =>
    (await import('../features/header/language-switcher/language-switcher.tsx')).LanguageSwitcher,
  'lead-form': async () => (await import('../features/lead-form/lead-form.tsx')).LeadForm,
  'more-news': async () => (await import('../features/news/more-news.tsx')).MoreNews,
  'more-reviews': async () => (await import('../features/reviews/more-reviews.tsx')).MoreReviews,
  'office-filter': async () => (await import('../features/offices/office-filter.tsx')).OfficeFilter,
  'project-filter': async () => (await import('../features/projects/project-filter.tsx')).ProjectFilter,
};

export type IslandName = keyof typeof ISLANDS;

/** Their code is fetched only when a visitor first touches the page: it is large, and most visitors do not need it. */
export const AT_FIRST_TOUCH: readonly IslandName[] = ['lead-form'];
