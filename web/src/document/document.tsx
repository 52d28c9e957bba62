import { renderToStaticMarkup } from 'react-dom/server';
import type { PageData, SharedData } from '../contract/types.ts';
import type { Assets } from './assets.ts';
import { escapeJson } from './escape-json.ts';
import type { Frame } from './frame.tsx';
import { type DocumentPage, Head } from './head.tsx';

/** Cannot occur in a head: titles and URLs are free of control characters, and the last occurrence is always ours. */
const BODY = '\u0001body\u0001';

interface DocumentParts {
  page: DocumentPage;
  shared: SharedData;
  frame: Frame;
  /** From `<main>` on, without its end. */
  main: string[];
  /** HTML of the language switcher; empty where it is hidden. */
  switcher: string;
  /** The props of the islands, and their files. */
  islands: Pick<PageData, 'islands' | 'preload'>;
  assets: Assets;
  /** The builds of the page, which the page runtime compares with those of other pages. */
  hashes: Pick<PageData, 'build' | 'shared'>;
  /** Font files the page's script needs at once. */
  fonts: string[];
}

/** Output without escaping: text, or stored bytes. */
export type Piece = string | Buffer;

/** A whole page in pieces, by whose they are. `frame` is the same object for all pages with that frame. */
export interface PageDocument<Part extends Piece = string> {
  /** Up to the frame. */
  start: Part[];
  frame: Frame;
  switcher: string;
  /** From `<main>` on, without its end. */
  main: Part[];
  /** Behind the frame. */
  end: string[];
}

export const MAIN_BEGIN = '<main id="_main"';
export const MAIN_END = '</main>';
export const START_END = '<body>';
const END_BEGIN = '</body>';

export function buildDocument({
  page,
  shared,
  frame,
  main,
  switcher,
  islands,
  assets,
  hashes,
  fonts,
}: DocumentParts): PageDocument {
  const { site } = shared;
  const shell = renderToStaticMarkup(
    <html
      lang={site.lang}
      dir={site.dir}
      data-site={site.key}
      data-international={site.international || undefined}
      data-dark={site.darkTheme ? '' : undefined}
      data-fallback={page.fallback ?? undefined}
      data-build={hashes.build}
      data-shared={hashes.shared}
    >
      <Head page={page} shared={shared} assets={assets} fonts={fonts} />
      <body>{BODY}</body>
    </html>,
  );
  return {
    start: [`<!doctype html>${shell.slice(0, shell.lastIndexOf(BODY))}`],
    frame,
    switcher,
    main,
    end: endOf(islands, shared),
  };
}

/** Returns the pieces after the frame. */
export function endOf(islands: DocumentParts['islands'], { runtime }: SharedData): string[] {
  return [
    islandsScript(islands),
    `<script type="application/json" id="_runtime">${escapeJson(runtime)}</script>`,
    `${END_BEGIN}</html>`,
  ];
}

/**
 * In the order of the HTML. They are not joined here: one letter outside of Latin-1 would make a joined string two bytes per
 * character, and writing it would take five times as long.
 */
export function piecesOf<Part extends Piece>({ start, frame, switcher, main, end }: PageDocument<Part>): Piece[] {
  return [...start, frame.beforeSwitcher, switcher, frame.beforeMain, ...main, MAIN_END, frame.afterMain, ...end];
}

/** Around the HTML of a page's parts. */
export function openMain(template: PageData['template']): string {
  return `${MAIN_BEGIN} tabindex="-1" data-template="${template}">`;
}

/** The loader fetches the files when a visitor comes near an island. Empty for a page without islands. */
function islandsScript({ preload, islands }: DocumentParts['islands']): string {
  if (islands.length === 0) return '';
  return `<script type="application/json" id="_islands">${escapeJson({ preload, islands })}</script>`;
}
