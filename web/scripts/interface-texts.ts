/**
 * The texts of the pages for the studio, where editors change them per site: `dist/interface-texts.json`, which
 * `portolan/studio/interface_words/defaults.py` reads.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Catalog, PluralForms } from '../src/locales/catalog.ts';
import { type SourceText, TEXTS } from '../src/locales/texts.ts';
import { compileCatalog, pluralCategories } from './po.ts';
import { catalogLanguages } from './texts.ts';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
const LOCALES = new URL('../src/locales/', import.meta.url);
/** Code that renders the frame. Texts of this code alone are in no page's own parts. */
const OF_THE_FRAME =
  /^(document\/frame\.tsx|features\/(consent|footer|header(?!\/language-switcher)|language-notice|page-loading)\/)/;
const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz'];
const LARGEST_EXAMPLE = 200;
const RARE_EXAMPLES = [1_000_000, 1.5];

export interface InterfaceTexts {
  /** English texts by key. */
  texts: Record<string, SourceText>;
  /** Catalogues by language tag. */
  languages: Record<string, Catalog>;
  /** Plural categories by language, each with a number of that category. */
  plurals: Record<string, Partial<Record<Intl.LDMLPluralRule, number>>>;
  /** Folders with code that uses a text, by key. */
  places: Record<string, string[]>;
  /** Keys of texts that only the frame shows. */
  frame: string[];
}

export function listInterfaceTexts(): InterfaceTexts {
  const uses = findUses();
  return {
    texts: TEXTS,
    languages: Object.fromEntries(catalogLanguages().map((lang) => [lang, readCatalog(lang)])),
    plurals: Object.fromEntries(knownLanguages().map((lang) => [lang, pluralExamples(lang)])),
    places: Object.fromEntries(Object.entries(uses).map(([key, paths]) => [key, foldersOf(paths)])),
    frame: Object.entries(uses)
      .filter(([, paths]) => paths.every((path) => OF_THE_FRAME.test(path)))
      .map(([key]) => key),
  };
}

/** Files with each key as a string. May have too many, never too few. */
function findUses(): Record<string, string[]> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|^(locales|testing|contract)\//.test(path))
    .sort()
    .map((path) => ({ path, code: readFileSync(`${SOURCES}${path}`, 'utf8') }));
  const usesOf = (key: string) => files.filter(({ code }) => code.includes(`'${key}'`)).map(({ path }) => path);
  return Object.fromEntries(Object.keys(TEXTS).map((key) => [key, usesOf(key)]));
}

function foldersOf(paths: string[]): string[] {
  return [...new Set(paths.map((path) => path.split('/').slice(0, 2).join('/')))];
}

function readCatalog(lang: string): Catalog {
  return compileCatalog(lang, readFileSync(new URL(`${lang}.po`, LOCALES), 'utf8'));
}

function knownLanguages(): string[] {
  const codes = ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second));
  return Intl.PluralRules.supportedLocalesOf(codes);
}

export function pluralExamples(lang: string): Partial<Record<keyof PluralForms, number>> {
  const rules = new Intl.PluralRules(lang);
  const numbers = [...Array.from({ length: LARGEST_EXAMPLE }, (_, n) => n), ...RARE_EXAMPLES];
  return Object.fromEntries(
    pluralCategories(lang).flatMap((category) => {
      const example = numbers.find((n) => rules.select(n) === category);
      return example === undefined ? [] : [[category, example]];
    }),
  );
}
