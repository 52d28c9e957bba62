/**
 * Updates the catalogues in `src/locales` from `src/locales/texts.ts`.
 *
 * `npm run texts [language …]` adds new texts without translation, removes old ones, marks texts with changed English as fuzzy,
 * and creates missing catalogues. `npm run check:texts` (`--check`) writes no file. It fails and names every text that a
 * site's visitors would get in English.
 */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { po as gettext } from 'gettext-parser';
import { type SourceText, TEXTS } from '../src/locales/texts.ts';
import { type PoEntry, pluralCategories, readPo } from './po.ts';

const LOCALES = new URL('../src/locales/', import.meta.url);

/** Languages that have a catalogue. English has none: the source is English. */
export function catalogLanguages(): string[] {
  return readdirSync(LOCALES)
    .filter((name) => name.endsWith('.po'))
    .map((name) => name.slice(0, -'.po'.length));
}

/** Returns the problems of a catalogue, one sentence each. */
export function findProblems(lang: string, entries: Map<string, PoEntry>): string[] {
  const problems: string[] = [];
  for (const [key, text] of Object.entries(TEXTS)) {
    const entry = entries.get(key);
    if (!entry || entry.forms.every((form) => form === ''))
      problems.push(`${key} ("${english(text)}") is not translated`);
    else problems.push(...findEntryProblems(lang, entry, text));
  }
  for (const key of entries.keys()) if (!(key in TEXTS)) problems.push(`${key} is no text of ours any more`);
  return problems.map((problem) => `${lang}.po: ${problem}`);
}

function findEntryProblems(lang: string, entry: PoEntry, text: SourceText): string[] {
  const problems: string[] = [];
  if (isStale(entry, text)) problems.push(`${entry.key} translates an older English text`);
  if (entry.fuzzy) problems.push(`${entry.key} is marked fuzzy: somebody who knows the language has to look at it`);
  const expected = typeof text === 'string' ? 1 : pluralCategories(lang).length;
  if (entry.forms.length !== expected || entry.forms.includes('')) {
    problems.push(`${entry.key} needs ${expected} forms: ${pluralCategories(lang).join(', ')}`);
  }
  const known = new Set(placeholders(english(text)));
  for (const form of entry.forms) {
    const unknown = placeholders(form).filter((name) => !known.has(name));
    if (unknown.length > 0) problems.push(`${entry.key} uses {${unknown.join('}, {')}}, which nobody fills in`);
    // A plural form may leave the number out ("one office"); a name may not be lost.
    const lost = [...known].filter((name) => name !== 'n' && !placeholders(form).includes(name));
    if (form !== '' && lost.length > 0) problems.push(`${entry.key} lacks {${lost.join('}, {')}}`);
  }
  return problems;
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function english(text: SourceText): string {
  return typeof text === 'string' ? text : text.other;
}

function isStale(entry: PoEntry, text: SourceText): boolean {
  return typeof text === 'string' ? entry.source !== text : entry.source !== text.one || entry.plural !== text.other;
}

/** Returns the updated catalogue as the text of a PO file. */
export function updatePo(lang: string, entries: Map<string, PoEntry>): string {
  const categories = pluralCategories(lang);
  const translations: Parameters<typeof gettext.compile>[0]['translations'] = {};
  for (const [key, text] of Object.entries<SourceText>(TEXTS)) {
    const old = entries.get(key);
    const count = typeof text === 'string' ? 1 : categories.length;
    const msgstr = Array.from({ length: count }, (_, index) => old?.forms[index] ?? '');
    const translated = msgstr.some((form) => form !== '');
    const fuzzy = old && translated && (old.fuzzy || isStale(old, text));
    const msgid = typeof text === 'string' ? text : text.one;
    const comments = {
      ...(typeof text === 'string' ? {} : { extracted: `Forms in this order: ${categories.join(', ')}` }),
      ...(fuzzy ? { flag: 'fuzzy' } : {}),
    };
    const plural = typeof text === 'string' ? {} : { msgid_plural: text.other };
    translations[key] = { [msgid]: { msgctxt: key, msgid, ...plural, msgstr, comments } };
  }
  const headers = { Language: lang, 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': '8bit' };
  return `${gettext.compile({ charset: 'utf-8', headers, translations }, { foldLength: 0 }).toString().trimEnd()}\n`;
}

async function readCatalog(lang: string): Promise<Map<string, PoEntry>> {
  return readPo(await readFile(new URL(`${lang}.po`, LOCALES), 'utf8').catch(() => ''));
}

async function main(languages: string[], check: boolean): Promise<void> {
  const problems: string[] = [];
  for (const lang of languages) {
    const entries = await readCatalog(lang);
    if (!check) await writeFile(new URL(`${lang}.po`, LOCALES), updatePo(lang, entries));
    problems.push(...findProblems(lang, check ? entries : await readCatalog(lang)));
  }
  for (const problem of problems) console.error(problem);
  console.log(`${languages.length} catalogs, ${Object.keys(TEXTS).length} texts, ${problems.length} problems`);
  if (check && problems.length > 0) process.exitCode = 1;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const given = process.argv.slice(2).filter((argument) => argument !== '--check');
  await main([...new Set([...catalogLanguages(), ...given])].sort(), process.argv.includes('--check'));
}
