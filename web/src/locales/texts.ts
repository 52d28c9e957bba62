/**
 * Every text of the interface in English: the source that the catalogs beside this file translate.
 *
 * `npm run texts` brings new keys into each `<language>.po`; `npm run check:texts` fails where a translation is missing.
 * `{name}` stands for a value. A text with `one` and `other` counts `{n}`; catalogs give it the forms their language has.
 */
export const TEXTS = {
  skipToContent: 'Skip to main content',
  mainMenu: 'Main menu',
  menu: 'Menu',
  homePage: '{company}, home page',
  chooseLanguage: 'Choose a language',
  offices: 'Our offices',
  allCategories: 'All',
  filterOffices: 'Show offices by kind',
  officesShown: { one: '{n} office shown', other: '{n} offices shown' },
  footer: 'More of {company}',
  followUs: 'Follow us',
  allRightsReserved: 'All rights reserved.',
  backToTop: 'Back to top',
  opensInNewTab: 'opens in a new tab',
  reviews: 'Reviews',
} as const satisfies Record<string, SourceText>;

export type SourceText = string | { one: string; other: string };
export type TextKey = keyof typeof TEXTS;
