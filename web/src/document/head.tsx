import type { PageData, SharedData } from '../contract/types.ts';
import { openGraph } from '../domain/open-graph.ts';
import type { VisitorSettings } from '../domain/visitor.ts';
import type { Assets } from './assets.ts';
import { escapeJson } from './escape-json.ts';

/** The texts before the hash of the shared data in a document, and before the visitor's settings. */
export const SHARED_ATTRIBUTE = ' data-shared="';
export const VISITOR_BEGIN = ' id="_visitor">';

interface HeadProps {
  page: DocumentPage;
  shared: SharedData;
  assets: Assets;
  fonts: string[];
}

/** Data for head and body in addition to the rendered page. */
export interface DocumentPage extends Pick<PageData, 'path' | 'template' | 'header' | 'head' | 'sharing' | 'fallback'> {
  /** The page's structured data as JSON-LD, safe inside a script element; may be empty. */
  about: string;
}

/** The visitor's settings as JSON, read by the script in the head. */
export function visitorJson({ visitor, officeSet, phones }: SharedData): string {
  const settings: VisitorSettings = {
    rules: visitor,
    officeSet,
    phones: phones.map(({ id, isDefault, countries }) => ({ id, isDefault, countries })),
  };
  return escapeJson(settings);
}

/** Everything in `<head>`. React itself moves charset, viewport and preloads to the front. */
export function Head({ page, shared, assets, fonts }: HeadProps) {
  const { site } = shared;
  const { head } = page;
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title lang={page.fallback ?? undefined}>{head.title}</title>
      <link rel="stylesheet" href={assets.stylesheet} />
      {fonts.map((font) => (
        <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="" />
      ))}
      <script
        type="application/json"
        id="_visitor"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that cannot end its element
        dangerouslySetInnerHTML={{ __html: visitorJson(shared) }}
      />
      {/* Before anything is painted, so that elements for some visitors only do not flicker. */}
      {/* It fetches the loader once there is something to see. */}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own build's, and its digest is in the policy */}
      <script data-loader={assets.script} dangerouslySetInnerHTML={{ __html: assets.visitor }} />
      <meta name="description" content={head.description} />
      {head.robots !== null && <meta name="robots" content={head.robots} />}
      {head.canonical !== null && <link rel="canonical" href={head.canonical} />}
      {head.alternates.map((alternate) => (
        <link key={alternate.hreflang} rel="alternate" hrefLang={alternate.hreflang} href={alternate.href} />
      ))}
      <meta property="og:site_name" content={site.company} />
      <meta property="og:locale" content={head.ogLocale} />
      {openGraph(page).map(([property, content]) => (
        <meta key={property + content} property={property} content={content} />
      ))}
      {/* The same for every picture there is to share (document/sharing-picture.ts). */}
      <meta property="og:image:type" content="image/jpeg" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="theme-color" content={site.themeColor} />
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
      {page.about !== '' && (
        <script
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that cannot end its element
          dangerouslySetInnerHTML={{ __html: page.about }}
        />
      )}
    </head>
  );
}
