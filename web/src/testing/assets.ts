import type { Assets } from '../document/assets.ts';

/** A web build that never was, for tests that do not need one. */
export const ASSETS: Assets = {
  script: '/assets/browser-test.js',
  stylesheet: '/assets/style-test.css',
  fonts: { Latn: ['/assets/latin.woff2'], Cyrl: ['/assets/cyrillic.woff2'], Arab: ['/assets/arabic.woff2'] },
  islands: {
    'language-switcher': ['/assets/react.js', '/assets/language-switcher.js'],
    'office-filter': ['/assets/react.js', '/assets/office-filter.js'],
  },
};
