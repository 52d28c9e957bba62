import { describe, expect, it } from 'vitest';
import type { RateCard } from '../contract/index.ts';
import { estimatePrice, priceRoles, readCount, type TeamRow } from './estimate.ts';

const CARD: RateCard = {
  currency: 'EUR',
  rates: [
    { role: 'back-end', name: 'Back-end developer', seniority: 'middle', low: 8000, high: 11000 },
    { role: 'back-end', name: 'Back-end developer', seniority: 'senior', low: 10000, high: 14000 },
    { role: 'qa', name: 'Test engineer', seniority: 'middle', low: 6000, high: 9000 },
  ],
};

const row = (role: string, seniority: string, count = '1'): TeamRow => ({ role, seniority, count });

/** The team, the months, and from, to and unit of the range. */
const PRICES: [what: string, team: TeamRow[], months: number | null, price: [number, number, string]][] = [
  ['nothing is known', [], null, [6000, 14000, 'person']],
  ['a length alone says nothing', [], 6, [6000, 14000, 'person']],
  ['a row that nobody has filled', [row('', '')], null, [6000, 14000, 'person']],
  ['one person', [row('back-end', 'middle')], null, [8000, 11000, 'month']],
  ['three of them', [row('back-end', 'middle', '3')], null, [24000, 33000, 'month']],
  ['two roles', [row('back-end', 'senior', '2'), row('qa', 'middle')], null, [26000, 37000, 'month']],
  ['for half a year', [row('back-end', 'senior', '2'), row('qa', 'middle')], 6, [156000, 222000, 'total']],
  [
    'a row that is no number counts for nothing',
    [row('qa', 'middle'), row('back-end', 'middle', 'x')],
    2,
    [12000, 18000, 'total'],
  ],
  ['nor does a role the card lacks', [row('qa', 'middle'), row('pilot', 'middle')], null, [6000, 9000, 'month']],
  ['nor one at a seniority it lacks', [row('qa', 'lead'), row('qa', 'middle')], null, [6000, 9000, 'month']],
];

describe('the price range', () => {
  it.each(PRICES)('%s', (_, team, months, [from, to, unit]) => {
    expect(estimatePrice(CARD, team, months)).toEqual({ from, to, unit, currency: 'EUR' });
  });

  it('is none where there are no rates', () => {
    expect(estimatePrice({ currency: 'EUR', rates: [] }, [row('qa', 'middle')], 3)).toBeNull();
  });
});

describe('a count', () => {
  it.each([
    ['1', 1],
    [' 12 ', 12],
    ['120', 120],
    ['121', null],
    ['0', null],
    ['-1', null],
    ['1.5', null],
    ['1e2', null],
    ['', null],
    ['٣', null],
  ])('%j is %j', (text, count) => {
    expect(readCount(text, 120)).toBe(count);
  });
});

/** The roles that are wanted, and of each that is shown its key, from and to. */
const ROLES: [what: string, wanted: string[], shown: [string, number, number][]][] = [
  [
    'all of the card without any wanted',
    [],
    [
      ['back-end', 8000, 14000],
      ['qa', 6000, 9000],
    ],
  ],
  [
    'those that are wanted, in their order',
    ['qa', 'back-end'],
    [
      ['qa', 6000, 9000],
      ['back-end', 8000, 14000],
    ],
  ],
  ['each once', ['qa', 'qa'], [['qa', 6000, 9000]]],
  ['without one the card lacks', ['pilot', 'qa'], [['qa', 6000, 9000]]],
];

describe('roles and what a month of each costs', () => {
  it.each(ROLES)('are %s', (_, wanted, shown) => {
    expect(priceRoles(CARD, wanted).map(({ role, from, to }) => [role, from, to])).toEqual(shown);
  });

  it('are over all seniorities, wherever the cheapest stands', () => {
    const rates = [...CARD.rates].reverse();
    expect(priceRoles({ rates }, ['back-end'])).toMatchObject([{ name: 'Back-end developer', from: 8000, to: 14000 }]);
  });
});
