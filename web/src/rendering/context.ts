/** A component's context while a page is rendered. Missing in the browser: islands take props. */
import { createContext, type FunctionComponent, type ReactNode, useContext } from 'react';
import type { CaptchaSettings, Dir, IslandData } from '../contract/types.ts';
import type { Translate } from '../locales/catalog.ts';
import type { BrandSettings } from './brand.ts';

export interface Rendering {
  lang: string;
  dir: Dir;
  /** BCP 47 tag dates and numbers are printed by. */
  dateLocale: string;
  brand: BrandSettings;
  /** Who keeps robots out of the site's forms. */
  captcha: CaptchaSettings;
  /** Id of the office that some visitors see labelled as the headquarters. */
  headquarters: string;
  /** The page's own address; empty in the frame, and on pages that have none. */
  pageUrl: string;
  /** Puts soft hyphens into a title's long words, where the page's language has such. */
  hyphenate(text: string): string;
  /** Interface texts in the language of the page. */
  t: Translate;
  /** Seed of the page's chart motif; 0 in the frame, which knows nothing of the page. */
  motif: number;
  /** Place of the block in the page; the first one holds the page's h1 and its largest picture. -1 in the frame. */
  position: number;
  /** Prefix that makes ids unique in the page. */
  prefix: string;
  /** The name an island has in HTML and in the browser. */
  // biome-ignore lint/suspicious/noExplicitAny: each island has its own props
  islandName(component: FunctionComponent<any>): string;
  /** Registers an island and returns the HTML of its content. */
  renderIsland(data: IslandData, content: ReactNode): string;
}

export const RenderingContext = createContext<Rendering | null>(null);

export function useRendering(): Rendering {
  const rendering = useContext(RenderingContext);
  if (!rendering)
    throw new Error('useRendering() was called inside an island. Islands run in the browser: give them props instead.');
  return rendering;
}
