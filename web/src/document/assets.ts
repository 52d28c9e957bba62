/** Files of the web build that a document names. `scripts/build.ts` writes them beside the worker. */
import type { BrandSettings } from '../rendering/brand.ts';
import type { Letters } from './fonts.ts';

export interface Assets {
  /** Hash of the web build: what `app-data.json` says too. */
  build: string;
  /** The loader: the one script a page runs before it is used. */
  script: string;
  /** Source of the script in the head that finds out what the visitor is shown; its digest stands in the pages' policy. */
  visitor: string;
  stylesheet: string;
  /** Fonts to load early, by the letters a language is written in. */
  fonts: Record<Letters, string[]>;
  /** What an island needs when it wakes: React, then its own chunk. */
  islands: Record<string, string[]>;
  brand: BrandSettings;
  /** Colours of the stylesheet, for what is drawn outside of a browser. */
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
