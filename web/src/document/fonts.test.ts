import { expect, it } from 'vitest';
import { lettersOf } from './fonts.ts';

it.each([
  ['en', 'latin'],
  ['de-DE', 'latin'],
  ['fr-FR', 'latin'],
  ['it', 'latin'],
  ['az-AZ', 'latinExtended'],
  ['pl-PL', 'latinExtended'],
  ['ru-KZ', 'cyrillic'],
  ['ar-AE', 'arabic'],
])('%s is written in %s letters', (lang, letters) => {
  expect(lettersOf(lang)).toBe(letters);
});
