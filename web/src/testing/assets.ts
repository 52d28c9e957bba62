import type { Assets } from '../document/assets.ts';

/** A web build that never was, for tests that do not need one. */
export const ASSETS: Assets = {
  script: '/assets/browser-test.js',
  stylesheet: '/assets/style-test.css',
  fonts: {
    latin: ['/assets/latin.woff2'],
    latinExtended: ['/assets/latin.woff2', '/assets/latin-ext.woff2'],
    cyrillic: ['/assets/cyrillic.woff2'],
    arabic: ['/assets/arabic.woff2'],
  },
  islands: {
    'language-switcher': ['/assets/react.js', '/assets/language-switcher.js'],
    'office-filter': ['/assets/react.js', '/assets/office-filter.js'],
  },
};
