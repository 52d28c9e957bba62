import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '../src/locales/texts.ts';
import { listInterfaceTexts, pluralExamples } from './interface-texts.ts';
import { pluralCategories, readPo } from './po.ts';
import { catalogLanguages, findProblems, updatePo } from './texts.ts';

const ROOT = new URL('../../', import.meta.url);

function readCatalog(lang: string): string {
  return readFileSync(new URL(`web/src/locales/${lang}.po`, ROOT), 'utf8');
}

/** A whole catalogue with one entry replaced. */
function withEntry(lang: string, before: string, after: string): string[] {
  const text = readCatalog(lang);
  expect(text).toContain(before);
  return findProblems(lang, readPo(text.replace(before, after)));
}

describe('interface texts', () => {
  it.each(catalogLanguages())('are translated into %s', (lang) => {
    expect(findProblems(lang, readPo(readCatalog(lang)))).toEqual([]);
  });

  it('have a catalog for the language of every site in the registry', () => {
    const registry = readFileSync(new URL('sites.toml', ROOT), 'utf8');
    const languages = [...registry.matchAll(/^language = "([^"]+)"/gm)].map(([, lang = '']) => lang);
    expect(languages.length).toBeGreaterThan(0);
    const translated = new Set(['en', ...catalogLanguages().map((lang) => lang.split('-')[0])]);
    expect(languages.filter((lang) => !translated.has(lang.split('-')[0]))).toEqual([]);
  });

  it('are each used somewhere', () => {
    const src = fileURLToPath(new URL('web/src/', ROOT));
    const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.') && !path.startsWith('locales/'))
      .map((path) => readFileSync(`${src}${path}`, 'utf8'))
      .join('\n');
    expect(Object.keys(TEXTS).filter((key) => !sources.includes(`'${key}'`))).toEqual([]);
  });

  it('stay as they are when nothing is new', () => {
    for (const lang of catalogLanguages()) expect(updatePo(lang, readPo(readCatalog(lang)))).toBe(readCatalog(lang));
  });
});

describe('the check', () => {
  it.each([
    ['a missing translation', 'msgstr "Menü öffnen"', 'msgstr ""', 'openMenu ("Open the menu") is not translated'],
    [
      'a changed English text',
      'msgid "Open the menu"',
      'msgid "The menu"',
      'openMenu translates an older English text',
    ],
    ['a lost value', '"{company}, Startseite"', '"Startseite"', 'homePage lacks {company}'],
    [
      'a value nobody gives',
      '"{company}, Startseite"',
      '"{company}, {page}"',
      'homePage uses {page}, which nobody fills in',
    ],
    [
      'a missing plural form',
      'msgstr[1] "{n} Standorte werden angezeigt"',
      '',
      'officesShown needs 2 forms: one, other',
    ],
    ['a doubt', 'msgctxt "openMenu"', '#, fuzzy\nmsgctxt "openMenu"', 'openMenu is marked fuzzy'],
    ['a text that is gone', 'msgctxt "openMenu"', 'msgctxt "carte"', 'carte is no text of ours any more'],
  ])('finds %s', (_, before, after, problem) => {
    expect(withEntry('de-DE', before, after).join('\n')).toContain(problem);
  });
});

describe('plural forms', () => {
  it.each([
    ['en', 2],
    ['fr-FR', 3],
    ['pl-PL', 4],
    ['ru-KZ', 4],
    ['ar-AE', 6],
  ])('of %s are %i', (lang, count) => {
    expect(pluralCategories(lang)).toHaveLength(count);
  });
});

describe('the list for the studio', () => {
  it.each([
    ['ar', { zero: 0, one: 1, two: 2, few: 3, many: 11, other: 100 }],
    ['ru', { one: 1, few: 2, many: 0, other: 1.5 }],
    ['fr', { one: 0, many: 1_000_000, other: 2 }],
  ])('has an example of each plural form in %s', (lang, examples) => {
    expect(pluralExamples(lang)).toEqual(examples);
  });

  it('says where each text is used, and which texts only the frame shows', () => {
    const { places, frame } = listInterfaceTexts();
    expect(Object.keys(TEXTS).filter((key) => (places[key] ?? []).length === 0)).toEqual([]);
    expect(frame).toEqual(expect.arrayContaining(['openMenu', 'cookiesUsed', 'backToTop']));
    for (const key of ['chooseLanguage', 'formName', 'close', 'tryAgain']) expect(frame).not.toContain(key);
  });
});
