/**
 * `npm run consent-texts`: prints the texts before a choice about cookies, for every language, profile and part of the page.
 * They are listed by the hash that the records of choices contain (docs/privacy.md).
 */
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
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
for (const lang of ['en', ...catalogLanguages()]) {
  const t = createTranslate(lang);
  for (const profile of PROFILES) {
    for (const part of PARTS) {
      const texts = consentTexts(t, profile, part);
      console.log(`${hashTexts(texts)} ${lang} ${profile} ${part}\n${texts.join('\n').replace(/^/gm, '    ')}\n`);
    }
  }
}
