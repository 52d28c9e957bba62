/** Files of the web build that a document names. `scripts/build.ts` writes them beside the worker. */
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
}
