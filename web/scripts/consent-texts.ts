/**
 * `npm run consent-texts`: prints the texts before a choice about cookies, for every language, profile and part of the page.
 * They are listed by the hash that the records of choices contain (docs/privacy.md).
 *
 * `npm run consent-texts -- FILE …` prints those of sites that changed words. A file: the site's `/page-data/sq/d/<hash>.json`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import type { SharedData } from '../src/contract/types.ts';
import { po } from './po.ts';
import { catalogLanguages } from './texts.ts';

type Texts = typeof import('../src/features/consent/consent-texts.ts');
type Catalog = typeof import('../src/locales/catalog.ts');

const PROFILES = ['spec', 'strict'] as const;
const PARTS = ['gdpr', 'small', 'settings'] as const;

/** Only Vite compiles the catalogues. */
async function load<T>(path: string): Promise<T> {
  const file = fileURLToPath(new URL(`../src/${path}`, import.meta.url));
  return (await runnerImport<T>(file, { plugins: [po()], logLevel: 'error' })).module;
}

const { consentTexts, hashTexts } = await load<Texts>('features/consent/consent-texts.ts');
const { createTranslate } = await load<Catalog>('locales/catalog.ts');
const files = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')) as SharedData);
const languages = ['en', ...catalogLanguages()].map((lang) => ({ site: { lang }, words: {} }));
for (const { site, words } of files.length > 0 ? files : languages) {
  const { lang } = site;
  const t = createTranslate(lang, words);
  for (const profile of PROFILES) {
    for (const part of PARTS) {
      const texts = consentTexts(t, profile, part);
      console.log(`${hashTexts(texts)} ${lang} ${profile} ${part}\n${texts.join('\n').replace(/^/gm, '    ')}\n`);
    }
  }
}
