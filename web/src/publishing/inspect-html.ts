/**
 * What the gate has to know of a page (`portolan/publisher/gate.py`), read off the HTML as a visitor's browser gets it. What
 * it means, such as whether a link leads anywhere, is the gate's to say: it knows the other pages.
 */
export interface Inspected {
  lang: string;
  dir: string;
  /** Number of main headings up to the end of `<main>`. */
  headings: number;
  /** `{name}` up to there: code, or a placeholder that nobody filled. */
  braces: string[];
  /** Number of links to translations in the head. */
  alternates: number;
  ids: string[];
  /** Values of all attributes that hold addresses, as they are written, each once. */
  values: string[];
}

/** Attributes as React writes them: a space before, double quotes. `srcset` holds several addresses. */
const ADDRESSES = / (?:href|src|srcSet|imageSrcSet|poster|action)="([^"]*)"/g;
const IDS = / id="([^"]*)"/g;
const BRACES = /\{[a-z_]{1,40}\}/g;

const MAIN = '</main>';
/** Pieces of the frame are the same on thousands of pages, and long. */
const LONG = 2_000;
const KEPT = 64;

interface Piece {
  headings: number;
  braces: readonly string[];
  ids: readonly string[];
  values: readonly string[];
}

const kept = new Map<string, Piece>();

/** `pieces`: together the HTML of a page, none of which ends within a tag. */
export function inspectHtml(pieces: readonly string[]): Inspected {
  const head = pieces.find((piece) => piece.includes('</head>')) ?? '';
  const opening = head.slice(0, head.indexOf('>', head.indexOf('<html')));
  const body = { headings: 0, braces: new Set<string>(), ids: new Set<string>(), values: new Set<string>() };
  let isBehind = false;
  for (const text of pieces.flatMap(splitAtMain)) {
    const piece = inspectPiece(text);
    for (const id of piece.ids) body.ids.add(id);
    for (const value of piece.values) body.values.add(value);
    isBehind ||= text.startsWith(MAIN);
    if (isBehind) continue;
    body.headings += piece.headings;
    for (const name of piece.braces) body.braces.add(name);
  }
  return {
    lang: / lang="([^"]*)"/.exec(opening)?.[1] ?? '',
    dir: / dir="([^"]*)"/.exec(opening)?.[1] ?? '',
    headings: body.headings,
    braces: [...body.braces],
    alternates: count(head.slice(0, head.indexOf('</head>')), ' rel="alternate"'),
    ids: [...body.ids],
    values: [...body.values],
  };
}

/** What is behind the page's own contents, footer and scripts, begins with the end of `<main>`. */
function splitAtMain(piece: string): string[] {
  const at = piece.lastIndexOf(MAIN);
  return at > 0 ? [piece.slice(0, at), piece.slice(at)] : [piece];
}

function inspectPiece(text: string): Piece {
  const known = text.length < LONG ? undefined : kept.get(text);
  if (known) {
    kept.delete(text); // what is used stays
    kept.set(text, known);
    return known;
  }
  const piece = {
    headings: count(text, '<h1'),
    braces: text.match(BRACES) ?? [],
    ids: listOf(text, IDS),
    values: listOf(text, ADDRESSES),
  };
  if (text.length >= LONG) {
    kept.set(text, piece);
    const [oldest = text] = kept.keys();
    if (kept.size > KEPT) kept.delete(oldest);
  }
  return piece;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

function listOf(html: string, pattern: RegExp): string[] {
  return Array.from(html.matchAll(pattern), ([, value]) => value ?? '');
}
