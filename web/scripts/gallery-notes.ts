/** The note above each example in the gallery: its name, and axe's problems in either direction. */
import { JSDOM } from 'jsdom';
import type { Dir, SharedData } from '../src/contract/types.ts';
import { findViolations, NEED_A_BROWSER } from './accessibility.ts';
import { type BlockExample, pageOf } from './examples.ts';
import { htmlOf, type Worker } from './worker.ts';

export const DIRECTIONS: readonly Dir[] = ['ltr', 'rtl'];

/** Violations by direction. */
export type Checked = Record<Dir, string[]>;

const PAGES: Record<Dir, string> = { ltr: 'blocks.html', rtl: 'blocks-rtl.html' };
const DIRECTION_NAMES: Record<Dir, string> = { ltr: 'left to right', rtl: 'right to left' };

const STYLE = `
  [data-note] { background: #fff; border-block: 1px dashed #8e9bac; color: #020d1c; font: 13px/1.5 monospace; padding: 12px 20px; }
  [data-note] b { font-size: 15px; }
  [data-note] a { text-decoration: underline; }
  [data-note] mark { background: #b3261e; color: #fff; padding: 0 4px; }
  [data-note] li { overflow-wrap: anywhere; }`;

/** Renders each example on its own page, as the tests do. Returns axe's problems in either direction, by name. */
export async function checkExamples(
  examples: readonly BlockExample[],
  worker: Worker,
  shared: Record<Dir, SharedData>,
): Promise<Map<string, Checked>> {
  for (const dir of DIRECTIONS) worker.addShared(dir, shared[dir]);
  const found = new Map<string, Checked>();
  for (const { name, block } of examples) {
    const checked: Checked = { ltr: [], rtl: [] };
    for (const dir of DIRECTIONS) {
      checked[dir] = await findViolations(htmlOf(await worker.renderHtml(pageOf(block), dir)));
    }
    found.set(name, checked);
  }
  return found;
}

export function countViolations(results: Iterable<Checked>): number {
  return [...results].reduce((sum, { ltr, rtl }) => sum + ltr.length + rtl.length, 0);
}

/** The page of all examples, with a note above each of its sections, which are those examples in their order. */
export function addNotes(html: string, results: ReadonlyMap<string, Checked>, dir: Dir): string {
  const dom = new JSDOM(html);
  const { document } = dom.window;
  const sections = [...document.querySelectorAll('main > section')];
  if (sections.length !== results.size) {
    throw new Error(
      `The page has ${sections.length} sections for ${results.size} examples; each has to be one section.`,
    );
  }
  const style = document.createElement('style');
  style.textContent = STYLE;
  document.head.append(style);
  const other = DIRECTIONS.find((direction) => direction !== dir) ?? dir;
  [...results].forEach(([name, checked], index) => {
    const note = noteOf(document, name, checked);
    const link = document.createElement('a');
    link.href = `${PAGES[other]}#${note.id}`;
    link.textContent = `the same from ${DIRECTION_NAMES[other]}`;
    note.append(link);
    sections[index]?.before(note);
  });
  sections[0]?.closest('main')?.prepend(summaryOf(document, results));
  return dom.serialize();
}

function noteOf(document: Document, name: string, checked: Checked): HTMLElement {
  const note = emptyNote(document);
  note.id = `example-${name}`;
  const title = document.createElement('b');
  title.textContent = name;
  note.append(title);
  for (const dir of DIRECTIONS) {
    const line = document.createElement('div');
    const count = checked[dir].length;
    const said = document.createElement(count > 0 ? 'mark' : 'span');
    said.textContent = `accessibility violations: ${count}`;
    line.append(`${DIRECTION_NAMES[dir]}, `, said);
    const list = document.createElement('ul');
    for (const violation of checked[dir])
      list.append(Object.assign(document.createElement('li'), { textContent: violation }));
    if (count > 0) line.append(list);
    note.append(line);
  }
  return note;
}

function summaryOf(document: Document, results: ReadonlyMap<string, Checked>): HTMLElement {
  const note = emptyNote(document);
  const failing = [...results].filter(([, checked]) => countViolations([checked]) > 0);
  const title = document.createElement('b');
  title.textContent = `${results.size} examples, accessibility violations: ${countViolations(results.values())}`;
  const text = `Asked of axe in jsdom, which lays nothing out: ${NEED_A_BROWSER.join(', ')} are e2e/test_gallery.py's to ask.`;
  note.append(title, Object.assign(document.createElement('div'), { textContent: text }));
  for (const [name] of failing) {
    note.append(Object.assign(document.createElement('a'), { href: `#example-${name}`, textContent: name }), ' ');
  }
  return note;
}

function emptyNote(document: Document): HTMLElement {
  const note = document.createElement('aside');
  note.dataset['note'] = '';
  note.dir = 'ltr';
  return note;
}
