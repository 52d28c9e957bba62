import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { sharedExample } from '../../scripts/examples.ts';
import { createTranslate } from '../locales/catalog.ts';
import { NO_BRAND } from '../rendering/brand.ts';
import { type Rendering, RenderingContext } from '../rendering/context.ts';

/** Renders a component that needs a page's context: an English page of the example's site. */
export function renderHtml(node: ReactNode): string {
  const { captcha } = sharedExample();
  const rendering: Rendering = {
    lang: 'en',
    dir: 'ltr',
    dateLocale: 'en-GB',
    brand: NO_BRAND,
    captcha,
    headquarters: '',
    pageUrl: '',
    hyphenate: (text) => text,
    t: createTranslate('en'),
    motif: 0,
    position: 0,
    prefix: 'b0_',
    islandName: () => 'island',
    renderIsland: () => '',
  };
  return renderToStaticMarkup(<RenderingContext value={rendering}>{node}</RenderingContext>);
}
