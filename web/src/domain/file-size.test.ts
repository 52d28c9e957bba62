import { describe, expect, it } from 'vitest';
import { printFileSize } from './file-size.ts';

const SIZES: [bytes: number, locale: string, printed: string][] = [
  [0, 'en-GB', '0 byte'],
  [999, 'en-GB', '999 byte'],
  [1000, 'en-GB', '1 kB'],
  [41_586, 'en-GB', '42 kB'],
  [999_499, 'en-GB', '999 kB'],
  [999_500, 'en-GB', '1 MB'],
  [1_250_000, 'de-DE', '1,3 MB'],
  [20_971_520, 'fr-FR', '21 Mo'],
  [41_586, 'pl-PL', '42 kB'],
  [41_586, 'ru-KZ', '42 кБ'],
  [41_586, 'az-AZ', '42 kB'],
  [1_250_000, 'ar-AE-u-nu-latn-ca-gregory', '1.3 م.ب'],
  [999_960_000, 'en-GB', '1 GB'],
  [5e12, 'en-GB', '5,000 GB'],
];

describe('the size of a file', () => {
  it.each(SIZES)('of %d bytes in %s is %s', (bytes, locale, printed) => {
    expect(printFileSize(bytes, locale).replace(/[\u00a0\u202f]/g, ' ')).toBe(printed);
  });
});
