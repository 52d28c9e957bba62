/**
 * Reads the data for the publish checks (`portolan/publisher/publish_checks.py`) from a page's HTML as visitors get it. The checks
 * evaluate them, for example whether a link has a target, because they have the other pages.
 */
import { MAIN_BEGIN, MAIN_END, type PageDocument, type Piece, START_END } from '../document/document.tsx';
import type { Frame } from '../document/frame.tsx';

/** The data of any part of a page. */
export interface InspectedPart {
  /** Number of main headings up to the end of `<main>`. */
  headings: number;
  /** `{name}` up to there: code, or a placeholder without a value. */
  braces: string[];
  ids: string[];
  /** Values of all attributes that hold addresses, as they are written, each once. */
  values: string[];
  /** Addresses of documents, wherever they stand. */
  documents: string[];
}

/** A page without its frame. */
export interface Inspected extends InspectedPart {
  lang: string;
  dir: string;
  /** Number of links to translations in the head. */
  alternates: number;
}

/** Attributes as React writes them: a space before, double quotes. `srcset` holds several addresses. */
const ATTRIBUTES = / (?:(?:href|src|srcSet|imageSrcSet|poster|action)="([^"]*)"|id="([^"]*)")/g;
const BRACES = /\{[a-z_]{1,40}\}/g;
const DOCUMENTS = '/media/documents/';
const DOCUMENT = /\/media\/documents\/[^"'<>\s?#&\\]+/g;
const HEAD_END = '</head>';

/** The targets for a new frame in a page whose own parts are unchanged. */
export interface InspectedAgain {
  /** Of those that the frame links to. */
  ids: string[];
  documents: string[];
}

const frames = new WeakMap<Frame, InspectedPart>();

export function inspectDocument({ start, switcher, main, end }: PageDocument): Inspected {
  return inspectPieces(start.join(''), [...start, switcher, ...main], end);
}

export function inspectAgain({ start, frame, switcher, main, end }: PageDocument<Piece>): InspectedAgain {
  const own = [...start, switcher, ...main, ...end];
  return {
    ids: wantedIds(inspectFrame(frame)).filter((id) => own.some((piece) => piece.includes(` id="${id}"`))),
    documents: own
      .filter((piece) => piece.includes(DOCUMENTS))
      .flatMap((piece) => listDocuments(typeof piece === 'string' ? piece : piece.toString('utf8'))),
  };
}

/** The same for all pages with this frame, so it is read once. */
export function inspectFrame(frame: Frame): InspectedPart {
  let known = frames.get(frame);
  if (!known) {
    known = inspectParts([String(frame.beforeSwitcher), String(frame.beforeMain)], [String(frame.afterMain)]);
    frames.set(frame, known);
  }
  return known;
}

/** Inspects a stored page. Pieces after its main part count as the frame's. */
export function inspectHtml(html: string): { seen: Inspected; frame: InspectedPart } {
  const startEnd = html.indexOf(START_END) + START_END.length;
  const begin = html.indexOf(MAIN_BEGIN);
  const end = html.lastIndexOf(MAIN_END);
  if (startEnd > begin || begin > end) throw new Error('What is stored of the page is no document of ours.');
  const start = html.slice(0, startEnd);
  return {
    seen: inspectPieces(start, [start, html.slice(begin, end)], []),
    frame: inspectParts([html.slice(startEnd, begin)], [html.slice(end)]),
  };
}

/** `start` has the whole head; `behind` follows the end of `<main>`. */
function inspectPieces(start: string, before: readonly string[], behind: readonly string[]): Inspected {
  const opening = start.slice(0, start.indexOf('>', start.indexOf('<html')));
  return {
    lang: / lang="([^"]*)"/.exec(opening)?.[1] ?? '',
    dir: / dir="([^"]*)"/.exec(opening)?.[1] ?? '',
    alternates: count(start.slice(0, start.indexOf(HEAD_END)), ' rel="alternate"'),
    ...inspectParts(before, behind),
  };
}

/** None of the pieces ends within a tag. */
function inspectParts(before: readonly string[], behind: readonly string[]): InspectedPart {
  const braces = new Set<string>();
  const ids = new Set<string>();
  const values = new Set<string>();
  let headings = 0;
  for (const piece of before) {
    headings += count(piece, '<h1');
    // Hardly any text has one.
    if (piece.includes('{')) for (const name of piece.match(BRACES) ?? []) braces.add(name);
    readAttributes(piece, ids, values);
  }
  for (const piece of behind) readAttributes(piece, ids, values);
  const documents = [...before, ...behind].flatMap(listDocuments);
  return { headings, braces: [...braces], ids: [...ids], values: [...values], documents };
}

/** Returns a frame's links to the page that it surrounds. */
function wantedIds({ ids, values }: InspectedPart): string[] {
  const local = values.filter((value) => value.startsWith('#')).map((value) => decode(value.slice(1)));
  return local.filter((id) => id !== '' && !ids.includes(id));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readAttributes(html: string, ids: Set<string>, values: Set<string>): void {
  ATTRIBUTES.lastIndex = 0;
  for (let found = ATTRIBUTES.exec(html); found; found = ATTRIBUTES.exec(html)) {
    const [, value, id] = found;
    if (value !== undefined) values.add(value);
    else if (id !== undefined) ids.add(id);
  }
}

function listDocuments(html: string): string[] {
  return html.includes(DOCUMENTS) ? (html.match(DOCUMENT) ?? []) : []; // hardly any page has one
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}
