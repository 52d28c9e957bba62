/** Files of the web build that a document names. `scripts/build.ts` writes them next to the worker. */
import type { BrandSettings } from '../rendering/brand.ts';
import type { Letters } from './fonts.ts';

export interface Assets {
  /** Hash of the web build, also in `app-data.json`. */
  build: string;
  /** The loader: the one script a page runs before it is used. */
  script: string;
  /** Source of the script in the head that decides for the visitor; its digest is in the pages' policy. */
  visitor: string;
  stylesheet: string;
  /** Fonts to load early, by the letters a language is written in. */
  fonts: Record<Letters, string[]>;
  /** The files of an island: React, then its own chunk. */
  islands: Record<string, string[]>;
  brand: BrandSettings;
  /** Colours of the stylesheet, for drawing outside of a browser. */
  palette: Ground[];
}

/** One rule of `tokens/colour.css`. */
export interface Ground {
  selector: string;
  /** Condition of the media query around it; empty for none. */
  media: string;
  /** `#rrggbb` by custom property, e.g. `--text`. */
  colours: Record<string, string>;
}
