import type { Assets } from '../document/assets.ts';
import { NO_BRAND } from '../rendering/brand.ts';

/** An invented web build, for tests that need no real one. */
export const ASSETS: Assets = {
  build: 'b1d',
  script: '/assets/browser-test.js',
  visitor: 'void 0;',
  stylesheet: '/assets/style-test.css',
  fonts: {
    latin: ['/assets/latin.woff2'],
    latinExtended: ['/assets/latin.woff2', '/assets/latin-ext.woff2'],
    cyrillic: ['/assets/cyrillic.woff2'],
    arabic: ['/assets/arabic.woff2'],
  },
  brand: NO_BRAND,
  palette: [],
  islands: {
    'lead-form': ['/assets/react.js', '/assets/lead-form.js'],
    'project-filter': ['/assets/react.js', '/assets/project-filter.js'],
  },
};
