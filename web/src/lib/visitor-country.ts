/** The visitor's country as the edge knows it (cookie `country_code`): ISO 3166-1 alpha-2 in lower case. */
export function readVisitorCountry(): string | undefined {
  return document.cookie.match(/(?:^|; )country_code=([a-z]{2})(?:;|$)/)?.[1];
}

/**
 * The country that is used for the visitor: the one the edge found, else the one the site assumes. `entries/visitor.ts`
 * has decided it before the page was painted.
 */
export function readServedCountry(): string | undefined {
  return document.documentElement.dataset['country'] || undefined;
}
