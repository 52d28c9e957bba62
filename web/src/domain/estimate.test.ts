import { describe, expect, it } from 'vitest';
import type { RateCard } from '../contract/types.ts';
import { type Answers, estimatePrice, priceRoles, proposeTeam, readCount, type TeamRow } from './estimate.ts';

const CARD: RateCard = {
  currency: 'EUR',
  rates: [
    { role: 'back-end', name: 'Back-end developer', seniority: 'middle', low: 8000, high: 11000 },
    { role: 'back-end', name: 'Back-end developer', seniority: 'senior', low: 10000, high: 14000 },
    { role: 'qa', name: 'Test engineer', seniority: 'senior', low: 6000, high: 9000 },
  ],
  services: [
    {
      service: 'web',
      supplement: 0,
      team: [
        { role: 'back-end', count: 2 },
        { role: 'qa', count: 1 },
      ],
    },
    { service: 'fixed', supplement: 15, team: [{ role: 'back-end', count: 3 }] },
    { service: 'testing', supplement: -5, team: [{ role: 'qa', count: 2 }] },
    { service: 'flying', supplement: 0, team: [{ role: 'pilot', count: 1 }] },
  ],
  starts: { now: 10, quarter: 0, later: -4 },
  longTerm: { months: 12, discount: 6 },
};

const row = (role: string, seniority: string, count = '1'): TeamRow => ({ role, seniority, count });
const QA = row('qa', 'senior');

/** All questions are on the form; questions without a given answer stay open. */
const answers = (given: Partial<Answers>): Answers => ({ services: [], team: [], months: '', start: '', ...given });
/** Only the questions with a given answer are on the form. */
const asked = (given: Partial<Answers>): Answers => ({
  services: null,
  team: null,
  months: null,
  start: null,
  ...given,
});

/** From, to and unit of the range. */
const PRICES: [what: string, answers: Answers, price: [number, number, string]][] = [
  ['nothing is known: all that may be', answers({}), [8000 - 2000 - 900, 14000 + 3500, 'person']],
  ['a form that asks for nothing', asked({}), [6000, 14000, 'person']],
  ['a row that nobody has filled', asked({ team: [row('', '', '')] }), [6000, 14000, 'person']],
  ['a service: the team it usually takes', asked({ services: ['web'] }), [22000, 37000, 'month']],
  ['several share people', asked({ services: ['web', 'testing'] }), [(16000 + 12000) * 0.95, 28000 + 18000, 'month']],
  ['a supplement of a service', asked({ services: ['fixed'] }), [24000 * 1.15, 42000 * 1.15, 'month']],
  ['a service without rates', asked({ services: ['other'] }), [6000, 14000, 'person']],
  ['a service whose roles have none', asked({ services: ['flying'] }), [6000, 14000, 'person']],
  ['one person', asked({ team: [row('back-end', 'middle')] }), [8000, 11000, 'month']],
  ['three of them', asked({ team: [row('back-end', 'middle', '3')] }), [24000, 33000, 'month']],
  ['two roles', asked({ team: [row('back-end', 'senior', '2'), QA] }), [26000, 37000, 'month']],
  ['for half a year', asked({ team: [row('back-end', 'senior', '2'), QA], months: '6' }), [156000, 222000, 'total']],
  ['the team that is chosen, not the usual one', asked({ services: ['web'], team: [QA] }), [6000, 9000, 'month']],
  ['the service counts with any team', asked({ services: ['fixed'], team: [QA] }), [6900, 10350, 'month']],
  ['none chosen: any service', asked({ services: [], team: [QA] }), [5700, 10350, 'month']],
  ['at once', asked({ team: [QA], start: 'now' }), [6600, 9900, 'month']],
  ['later', asked({ team: [QA], start: 'later' }), [5760, 8640, 'month']],
  ['not decided: any start', asked({ team: [QA], start: 'open' }), [5760, 9900, 'month']],
  ['nothing said: any start', asked({ team: [QA], start: '' }), [5760, 9900, 'month']],
  ['a short stay', asked({ team: [QA], months: '11' }), [66000, 99000, 'total']],
  ['a long stay', asked({ team: [QA], months: '12' }), [72000 * 0.94, 108000 * 0.94, 'total']],
  ['no length yet: any', asked({ team: [QA], months: '' }), [5640, 9000, 'month']],
  ['a length alone', asked({ months: '6' }), [36000, 84000, 'person']],
  [
    'per cents add up',
    answers({ services: ['fixed'], team: [QA], months: '12', start: 'now' }),
    [72000 * 1.19, 108000 * 1.19, 'total'],
  ],
  ['a row whose number is none', asked({ team: [QA, row('back-end', 'middle', 'x')] }), [6000, 9000, 'month']],
  ['a role the card lacks', asked({ team: [QA, row('pilot', 'middle')] }), [6000, 9000, 'month']],
  ['a seniority it lacks', asked({ team: [row('qa', 'lead'), QA] }), [6000, 9000, 'month']],
];

describe('the price range', () => {
  it.each(PRICES)('%s', (_, given, [from, to, unit]) => {
    expect(estimatePrice(CARD, given)?.price).toEqual({
      from: Math.round(from),
      to: Math.round(to),
      unit,
      currency: 'EUR',
    });
  });

  it('is none where there are no rates', () => {
    expect(estimatePrice({ ...CARD, rates: [] }, answers({ team: [QA] }))).toBeNull();
  });

  it('narrows with each answer, and ends where nothing is open', () => {
    const steps = [
      answers({}),
      answers({ services: ['web'] }),
      answers({ services: ['web'], team: [row('back-end', 'middle', '2'), QA] }),
      answers({ services: ['web'], team: [row('back-end', 'middle', '2'), QA], months: '1' }),
      answers({ services: ['web'], team: [row('back-end', 'middle', '2'), QA], months: '1', start: 'quarter' }),
    ].map((given) => estimatePrice(CARD, given));
    expect(steps.map((step) => step?.open)).toEqual([
      ['services', 'team', 'months', 'start'],
      ['team', 'months', 'start'],
      ['months', 'start'],
      ['start'],
      [],
    ]);
    const widths = steps.map((step) => (step ? step.price.to / step.price.from : 0));
    expect(widths).toEqual(widths.toSorted((one, other) => other - one));
    expect(new Set(widths).size).toBe(steps.length);
  });
});

/** Every choice, and a value of the answer that changes the price. */
it.each<[keyof Answers, Partial<Answers>, Partial<Answers>]>([
  ['services', { services: ['web'] }, { services: ['fixed'] }],
  ['services', { services: ['web'], team: [QA] }, { services: ['testing'], team: [QA] }],
  ['team', { team: [QA] }, { team: [row('back-end', 'middle')] }],
  ['months', { months: '2' }, { months: '3' }],
  ['start', { start: 'now' }, { start: 'later' }],
])('%s: another answer is another price', (_, one, other) => {
  expect(estimatePrice(CARD, answers(one))?.price).not.toEqual(estimatePrice(CARD, answers(other))?.price);
});

describe('beside the range', () => {
  it('stands what it is made of, and no nought', () => {
    const given = answers({ services: ['web', 'fixed'], team: [QA], months: '14', start: 'now' });
    expect(estimatePrice(CARD, given)?.supplements).toEqual([
      { of: 'service', service: 'fixed', percent: 15 },
      { of: 'start', start: 'now', percent: 10 },
      { of: 'length', months: 12, percent: -6 },
    ]);
  });

  it('stands what is not in it', () => {
    expect(estimatePrice(CARD, answers({ services: ['other', 'flying', 'web'], team: [QA] }))).toMatchObject({
      unpriced: ['other', 'flying'],
      lacking: ['back-end'],
      isUsualTeam: false,
    });
    expect(estimatePrice(CARD, answers({ services: ['web'] }))).toMatchObject({ lacking: [], isUsualTeam: true });
  });
});

it('proposes the team such work usually takes, at a seniority the card has', () => {
  expect(proposeTeam(CARD, ['fixed', 'web'])).toEqual([row('back-end', 'middle', '3'), row('qa', 'senior', '1')]);
  expect(proposeTeam(CARD, ['other', 'flying'])).toEqual([]);
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
    ['٣', 3],
    ['\u200e۱۲\u200f', 12],
    ['１２', 12],
    ['\u00a03 ', 3],
    ['3–5', null],
    ['−3', null],
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
