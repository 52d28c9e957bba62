/** The calculator of the estimate form: the price of a team by the site's rate card (spec §3). Pure. */
import type { RateCard } from '../contract/types.ts';
import { plainNumber } from './typed-number.ts';

export type Rate = RateCard['rates'][number];

export interface TeamRow {
  role: string;
  seniority: string;
  /** As it was typed. */
  count: string;
}

export interface PriceRange {
  from: number;
  to: number;
  currency: string;
  /** The unit of the range: one person for a month, the team for a month, or the whole project. */
  unit: 'person' | 'month' | 'total';
}

/** Months and people are whole numbers from 1, in any digits. */
export function readCount(text: string, most: number): number | null {
  const plain = plainNumber(text);
  const count = /^\d{1,4}$/.test(plain) ? Number(plain) : 0;
  return count >= 1 && count <= most ? count : null;
}

/** The present answers, as typed. Null if the form has no such question. */
export interface Answers {
  /** Slugs. */
  services: readonly string[] | null;
  team: readonly TeamRow[] | null;
  months: string | null;
  start: string | null;
}

/** The reason of a supplement: a service by its slug, a start, or a stay of so many months. */
export type Supplement =
  | { of: 'service'; service: string; percent: number }
  | { of: 'start'; start: string; percent: number }
  | { of: 'length'; months: number; percent: number };

export interface Estimate {
  price: PriceRange;
  /** Supplements that are certainly in the price, in addition to the rates. */
  supplements: Supplement[];
  /** Questions without an answer. The range covers all their answers. */
  open: (keyof Answers)[];
  /** Whether the usual team is used, because none is chosen. */
  isUsualTeam: boolean;
  /** Services that lack a price in the rate card and are left out of the range. */
  unpriced: string[];
  /** Keys of roles of the usual team that the chosen team lacks. */
  lacking: string[];
}

type Range = readonly [least: number, most: number];

/**
 * Calculates the range from the given answers; each answer narrows it. Without a team, the usual team of the services counts,
 * at any seniority, or else one person of any role. Without a length, one month counts. Per cents of
 * services, start and length are added. Null if the card has no rates.
 */
export function estimatePrice(card: RateCard, answers: Answers): Estimate | null {
  if (card.rates.length === 0) return null;
  const chosen = (answers.team ?? []).flatMap((row) => {
    const rate = findRate(card, row);
    const count = readCount(row.count, MOST_PEOPLE);
    return rate && count ? [{ rate, count }] : [];
  });
  const usual = usualTeam(card, answers.services ?? []);
  const isUsualTeam = chosen.length === 0 && usual.size > 0;
  const months = answers.months === null ? null : readCount(answers.months, MOST_MONTHS);
  const services = priceServices(card, answers.services);
  const start = priceStart(card, answers.start);
  const length = priceLength(card, answers.months !== null, months);
  const [low, high] = isUsualTeam
    ? sum([...usual].map(([role, count]) => times(spanRates(card.rates.filter((rate) => rate.role === role)), count)))
    : chosen.length > 0
      ? sum(chosen.map(({ rate, count }) => times([rate.low, rate.high], count)))
      : spanRates(card.rates);
  const [least, most] = sum([services.percent, start.percent, length.percent]);
  const amount = (rates: number, percent: number) => Math.round((rates * (months ?? 1) * (100 + percent)) / 100);
  return {
    price: {
      from: amount(low, least),
      to: amount(high, most),
      currency: card.currency,
      unit: chosen.length === 0 && !isUsualTeam ? 'person' : months ? 'total' : 'month',
    },
    supplements: [...services.certain, ...start.certain, ...length.certain].filter(({ percent }) => percent !== 0),
    open: [
      ...(answers.services?.length === 0 ? ['services' as const] : []),
      ...(answers.team && chosen.length === 0 ? ['team' as const] : []),
      ...(answers.months !== null && months === null ? ['months' as const] : []),
      ...(answers.start !== null && start.certain.length === 0 ? ['start' as const] : []),
    ],
    isUsualTeam,
    unpriced: services.unpriced,
    lacking:
      chosen.length > 0 ? [...usual.keys()].filter((role) => !chosen.some(({ rate }) => rate.role === role)) : [],
  };
}

/** The usual team as a first proposal: roles and numbers of the card, at the middle seniority. */
export function proposeTeam(card: RateCard, services: readonly string[]): TeamRow[] {
  return [...usualTeam(card, services)].map(([role, count]) => ({
    role,
    seniority: usualSeniority(card, role),
    count: String(count),
  }));
}

/** The seniority a role begins with; empty where the card lacks the role. */
export function usualSeniority({ rates }: { rates: readonly Rate[] }, role: string): string {
  const known = rates.filter((rate) => rate.role === role).map(({ seniority }) => seniority);
  return known.find((seniority) => seniority === 'middle') ?? known[0] ?? '';
}

export function findRate(
  { rates }: { rates: readonly Rate[] },
  row: Pick<TeamRow, 'role' | 'seniority'>,
): Rate | undefined {
  return rates.find(({ role, seniority }) => role === row.role && seniority === row.seniority);
}

/** Roles and numbers. Several services share people: of each role the larger number counts. */
function usualTeam({ rates, services }: RateCard, chosen: readonly string[]): Map<string, number> {
  const team = new Map<string, number>();
  for (const { service, team: roles } of services) {
    if (!chosen.includes(service)) continue;
    for (const { role, count } of roles)
      if (rates.some((rate) => rate.role === role)) team.set(role, Math.max(count, team.get(role) ?? 0));
  }
  return team;
}

function priceServices({ rates, services }: RateCard, chosen: Answers['services']) {
  const priced = services.filter(
    ({ team }) => team.length === 0 || team.some(({ role }) => rates.some((rate) => rate.role === role)),
  );
  const certain = priced
    .filter(({ service }) => chosen?.includes(service))
    .map(({ service, supplement }) => ({ of: 'service' as const, service, percent: supplement }));
  const unpriced = (chosen ?? []).filter((slug) => !priced.some(({ service }) => service === slug));
  const possible = chosen?.length === 0 ? priced.map(({ supplement }) => supplement) : [];
  return { percent: span([...certain.map(({ percent }) => percent), ...possible]), certain, unpriced };
}

function priceStart({ starts }: RateCard, start: Answers['start']) {
  const percent = new Map(Object.entries(starts)).get(start ?? '');
  if (start === null || percent === undefined)
    return { percent: start === null ? NOTHING : span(Object.values(starts)), certain: [] };
  return { percent: span([percent]), certain: [{ of: 'start' as const, start, percent }] };
}

function priceLength({ longTerm }: RateCard, isAsked: boolean, months: number | null) {
  if (!longTerm || !isAsked || (months !== null && months < longTerm.months)) return { percent: NOTHING, certain: [] };
  const percent = -longTerm.discount;
  if (months === null) return { percent: span([percent, 0]), certain: [] };
  return { percent: span([percent]), certain: [{ of: 'length' as const, months: longTerm.months, percent }] };
}

const NOTHING: Range = [0, 0];

function span(values: readonly number[]): Range {
  return values.length === 0 ? NOTHING : [Math.min(...values), Math.max(...values)];
}

function spanRates(rates: readonly Rate[]): Range {
  return [Math.min(...rates.map(({ low }) => low)), Math.max(...rates.map(({ high }) => high))];
}

function times([least, most]: Range, count: number): Range {
  return [least * count, most * count];
}

function sum(ranges: readonly Range[]): Range {
  return ranges.reduce(([least, most], [less, more]) => [least + less, most + more], NOTHING);
}

export interface RolePrice {
  role: string;
  name: string;
  from: number;
  to: number;
}

/** Returns the monthly price of each role over all its seniorities: the `wanted` roles in their order, or all roles of the card. */
export function priceRoles({ rates }: Pick<RateCard, 'rates'>, wanted: readonly string[]): RolePrice[] {
  const roles = new Map<string, RolePrice>();
  for (const { role, name, low, high } of rates) {
    const known = roles.get(role);
    roles.set(role, { role, name, from: Math.min(low, known?.from ?? low), to: Math.max(high, known?.to ?? high) });
  }
  const order = wanted.length > 0 ? new Set(wanted) : roles.keys();
  return [...order].flatMap((role) => roles.get(role) ?? []);
}

/** Of one role; the API takes no more. */
export const MOST_PEOPLE = 1000;
export const MOST_MONTHS = 120;
