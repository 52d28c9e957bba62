/**
 * Takes stored pages apart. The parts stay bytes, because decoding them as text would take longer than all other work.
 */
import type { PageData } from '../contract/types.ts';
import { MAIN_BEGIN, MAIN_END, type Piece, START_END } from './document.tsx';
import { SHARED_ATTRIBUTE, VISITOR_BEGIN } from './head.tsx';

const SCRIPT_END = '</script>';
const HTML_BEGIN = '{"html":"';
/** Behind the HTML. Within a string of JSON, a quotation mark would be escaped. */
const HTML_END = '","path":';

/** The elements of the head that depend on the shared data. */
interface OfShared {
  hash: string;
  /** The content of the element with the visitor's settings. */
  visitor: string;
}

/**
 * Start and main part of a document, the start as other shared data have it that tell the same of the site (`SharedData.site`).
 */
export function takeDocumentApart(html: Buffer, { hash, visitor }: OfShared): { start: Piece[]; main: Buffer } {
  const attribute = cutOut(html, SHARED_ATTRIBUTE, '"');
  const settings = cutOut(html, VISITOR_BEGIN, SCRIPT_END);
  const startEnd = html.indexOf(START_END) + START_END.length;
  const begin = html.indexOf(MAIN_BEGIN);
  const end = html.lastIndexOf(MAIN_END);
  const isWhole = attribute.end < settings.start && settings.end < startEnd && startEnd <= begin && begin < end;
  if (!isWhole) throw new Error('What is stored of the page is no document of ours.');
  return {
    start: [
      html.subarray(0, attribute.start),
      hash,
      html.subarray(attribute.end, settings.start),
      visitor,
      html.subarray(settings.end, startEnd),
    ],
    main: html.subarray(begin, end),
  };
}

/** JSON put together by hand, so that the HTML of each block is written as the piece it is. */
export function buildPageData<Part extends Piece>(
  rest: Omit<PageData, 'html'>,
  mainJson: readonly Part[],
): (Part | string)[] {
  return [HTML_BEGIN, ...mainJson, '",', JSON.stringify(rest).slice(1)];
}

/** Takes the output of `buildPageData` apart; the main part stays JSON. */
export function takePageDataApart(pageData: Buffer): { mainJson: Buffer; rest: Omit<PageData, 'html'> } {
  const end = pageData.indexOf(HTML_END);
  if (pageData.indexOf(HTML_BEGIN) !== 0 || end < 0) throw new Error('What is stored as page data is none of ours.');
  return {
    mainJson: pageData.subarray(HTML_BEGIN.length, end),
    rest: JSON.parse(`{${pageData.toString('utf8', end + '",'.length)}`),
  };
}

/** Where something stands behind the first `before`, up to the next `after`. */
function cutOut(html: Buffer, before: string, after: string): { start: number; end: number } {
  const start = html.indexOf(before) + before.length;
  return { start, end: start < before.length ? -1 : html.indexOf(after, start) };
}
