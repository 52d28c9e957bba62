import '../../testing/dom.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import type { RateCard } from '../../contract/types.ts';
import { estimatePrice } from '../../domain/estimate.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { buildLeadFormProps } from './lead-form-props.ts';
import { PriceLine } from './price-line.tsx';

const found = blockExamples().find(({ name }) => name === 'estimate.default')?.block;
if (found?.type !== 'estimate') throw new Error('the contract has an example of an estimate');
const example = found;
const [card] = example.rateCards;
if (!card) throw new Error('the example has a rate card');

const ANSWERS = { services: ['web-development', 'mobile-development'], team: [], months: '12', start: 'now' };

/** Returns the lines below the form. */
function lines(rateCards: RateCard[], lang = 'en'): string[] {
  const props = buildLeadFormProps(
    { ...example, rateCards },
    {
      prefix: '',
      lang,
      dateLocale: lang,
      captcha: { provider: 'none', siteKey: null },
      t: createTranslate(lang),
    },
  );
  const estimate = props.rates && estimatePrice(props.rates.card, ANSWERS);
  document.body.innerHTML = renderToStaticMarkup(<PriceLine {...props} estimate={estimate} />);
  return [...document.querySelectorAll('p, li')].map((line) => line.textContent?.replace(/[\u2066\u2069]/g, '') ?? '');
}

it('says what is in the price and what is not', () => {
  expect(lines([card])).toEqual([
    'Price range',
    expect.stringMatching(/^€[\d,]+ – €[\d,]+ altogether$/),
    'As soon as possible: +10%',
    'From 12 months on: -5%',
    'Mobile development: not in the range, because there is no rate for it',
    'No team is chosen yet: counted with the one such work usually takes.',
    'Without tax and not binding: an engineer checks it.',
  ]);
});

it('keeps the sign before its number in Arabic', () => {
  lines([card], 'ar-AE');
  expect(document.querySelector('li')?.textContent).toMatch(/\u2066.*10.*\u2069$/);
});

it('of a card frozen before there were supplements has none', () => {
  const { currency, rates } = card;
  const said = lines([{ currency, rates } as RateCard]);
  expect(said.filter((line) => line.includes('%'))).toEqual([]);
  expect(said).toContain('Web development: not in the range, because there is no rate for it');
});

it('says where a site has no rates', () => {
  expect(lines([])).toEqual(['There are no rates for this site yet: an engineer answers with a price.']);
});
