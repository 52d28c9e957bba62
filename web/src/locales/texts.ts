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
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  openSubmenu: 'Show {title}',
  homePage: '{company}, home page',
  language: 'Language',
  chooseLanguage: 'Choose a language',
  currentLanguage: '{language}, current language',
  breadcrumb: 'You are here',
  offices: 'Our offices',
  seeMoreOffices: 'See all offices',
  allCategories: 'All',
  filterOffices: 'Show offices by kind',
  officesShown: { one: '{n} office shown', other: '{n} offices shown' },
  footer: 'More of {company}',
  contactUs: 'Contact us',
  followUs: 'Follow us',
  legal: 'Legal',
  allRightsReserved: 'All rights reserved.',
  backToTop: 'Back to top',
  opensInNewTab: 'opens in a new tab',
  inLanguage: 'in {language}',
  readMore: 'Read more',
  reviews: 'Reviews',
} as const satisfies Record<string, SourceText>;

export type SourceText = string | { one: string; other: string };
export type TextKey = keyof typeof TEXTS;
