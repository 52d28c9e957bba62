import { describe, expect, it } from 'vitest';
import { buildMoneyPattern, printMoney } from './money.ts';

/** The sites' locales and currencies. */
const SITES = [
  ['en-GB', 'USD'],
  ['en-GB', 'GBP'],
  ['de-DE', 'EUR'],
  ['ar-AE-u-nu-latn-ca-gregory', 'AED'],
  ['az-AZ', 'AZN'],
  ['ru-KZ', 'KZT'],
  ['pl-PL', 'PLN'],
  ['fr-FR', 'EUR'],
];
const AMOUNTS = [0, 7, 999, 1000, 9999, 10_000, 123_456, 1_234_567, 98_765_432];

describe.each(SITES)('%s in %s', (locale, currency) => {
  it('is written as Intl writes it', () => {
    const intl = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      maximumFractionDigits: 0,
    });
    const pattern = buildMoneyPattern(locale, currency);
    expect(AMOUNTS.map((amount) => printMoney(amount, pattern))).toEqual(AMOUNTS.map((amount) => intl.format(amount)));
  });
});

it('survives JSON', () => {
  const pattern = buildMoneyPattern('fr-FR', 'EUR');
  expect(printMoney(12_345, JSON.parse(JSON.stringify(pattern)))).toBe('12\u202f345\u00a0€');
});
