/**
 * `npm run consent-words`: the words a visitor reads before choosing about cookies, by the hash under which the records of
 * choices name them (docs/privacy.md), for every language, profile and part of the page.
 */
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { po } from './po.ts';
import { catalogLanguages } from './texts.ts';

type Words = typeof import('../src/features/consent/consent-words.ts');
type Catalog = typeof import('../src/locales/catalog.ts');

const PROFILES = ['spec', 'strict'] as const;
const PARTS = ['gdpr', 'small', 'settings'] as const;

/** Catalogs are compiled by Vite alone. */
async function load<T>(path: string): Promise<T> {
  const file = fileURLToPath(new URL(`../src/${path}`, import.meta.url));
  return (await runnerImport<T>(file, { plugins: [po()], logLevel: 'error' })).module;
}

const { consentWords, hashWords } = await load<Words>('features/consent/consent-words.ts');
const { createTranslate } = await load<Catalog>('locales/catalog.ts');
for (const lang of ['en', ...catalogLanguages()]) {
  const t = createTranslate(lang);
  for (const profile of PROFILES) {
    for (const part of PARTS) {
      const words = consentWords(t, profile, part);
      console.log(`${hashWords(words)} ${lang} ${profile} ${part}\n${words.join('\n').replace(/^/gm, '    ')}\n`);
    }
  }
}
