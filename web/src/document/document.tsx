import { renderToStaticMarkup } from 'react-dom/server';
import type { PageData, SharedData } from '../contract/types.ts';
import type { Assets } from './assets.ts';
import { escapeJson } from './escape-json.ts';
import type { Frame } from './frame.tsx';
import { type DocumentPage, Head } from './head.tsx';

/** Cannot occur in a head: titles and URLs have no control characters, and the last occurrence is always ours. */
const BODY = '\u0001body\u0001';

interface DocumentParts {
  page: DocumentPage;
  shared: SharedData;
  frame: Frame;
  /** From `<main>` on, without its end. */
  main: string[];
  /** HTML of the language switcher; empty where it is hidden. */
  switcher: string;
  /** The props of what is interactive, and the files it needs. */
  islands: Pick<PageData, 'islands' | 'preload'>;
  assets: Assets;
  /** What the page was made with: the page runtime compares them with those of other pages. */
  hashes: Pick<PageData, 'build' | 'shared'>;
  /** Font files the page's script needs at once. */
  fonts: string[];
}

/** A whole page in pieces, by whose they are. `frame` is the same object for all pages with that frame. */
export interface PageDocument {
  /** Up to the frame. */
  start: string;
  frame: Frame;
  switcher: string;
  /** From `<main>` on, without its end. */
  main: string[];
  /** Behind the frame. */
  end: string[];
}

const MAIN_BEGIN = '<main id="main"';
const MAIN_END = '</main>';
const ABOUT_BEGIN = '<script type="application/ld+json">';
const SCRIPT_END = '</script>';

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
      data-build={hashes.build}
      data-shared={hashes.shared}
    >
      <Head page={page} shared={shared} assets={assets} fonts={fonts} />
      <body>{BODY}</body>
    </html>,
  );
  const at = shell.lastIndexOf(BODY);
  return {
    start: `<!doctype html>${shell.slice(0, at)}`,
    frame,
    switcher,
    main,
    end: [
      islandsScript(islands),
      `<script type="application/json" id="runtime">${escapeJson(shared.runtime)}</script>`,
      shell.slice(at + BODY.length),
    ],
  };
}

/**
 * In the order of the HTML. They are not joined here: one letter outside of Latin-1 would make a joined string two bytes per
 * character, and writing it would take five times as long.
 */
export function piecesOf({ start, frame, switcher, main, end }: PageDocument): string[] {
  return [start, frame.beforeSwitcher, switcher, frame.beforeMain, ...main, MAIN_END, frame.afterMain, ...end];
}

/** Around the HTML of a page's parts. */
export function openMain(template: PageData['template']): string {
  return `${MAIN_BEGIN} tabindex="-1" data-template="${template}">`;
}

/** What a document that was made earlier has of its page alone: as `DocumentParts` and `DocumentPage` take it. */
export function readOwnParts(html: string): { main: string; about: string } {
  const begin = html.indexOf(MAIN_BEGIN);
  const end = html.lastIndexOf(MAIN_END);
  if (begin < 0 || end < begin) throw new Error('What is stored of the page has no main part.');
  const about = html.lastIndexOf(ABOUT_BEGIN, html.indexOf('</head>'));
  const aboutText = about + ABOUT_BEGIN.length;
  return {
    main: html.slice(begin, end),
    about: about < 0 ? '' : html.slice(aboutText, html.indexOf(SCRIPT_END, aboutText)),
  };
}

/** The loader may fetch the files before anybody asks. Nothing for a page without islands. */
function islandsScript(data: DocumentParts['islands']): string {
  if (data.islands.length === 0) return '';
  return `<script type="application/json" id="islands">${escapeJson(data)}</script>`;
}
