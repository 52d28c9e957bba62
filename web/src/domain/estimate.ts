/** The calculator of the estimate form: what a team costs, by the site's rate card (spec §3). Pure. */
import type { RateCard } from '../contract/index.ts';

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
  /** What the range is for: one person for a month, the team for a month, or all of it. */
  unit: 'person' | 'month' | 'total';
}

/** Months and people are whole numbers from 1. */
export function readCount(text: string, most: number): number | null {
  const count = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return count >= 1 && count <= most ? count : null;
}

/**
 * What is known so far gives the range: without a team, one person of any role; without a length, a month.
 * Null where the card has no rates.
 */
export function estimatePrice(card: RateCard, team: readonly TeamRow[], months: number | null): PriceRange | null {
  const { rates, currency } = card;
  if (rates.length === 0) return null;
  const chosen = team.flatMap((row) => {
    const rate = rates.find(({ role, seniority }) => role === row.role && seniority === row.seniority);
    const count = readCount(row.count, MOST_PEOPLE);
    return rate && count ? [{ rate, count }] : [];
  });
  if (chosen.length === 0) {
    const from = Math.min(...rates.map(({ low }) => low));
    return { from, to: Math.max(...rates.map(({ high }) => high)), currency, unit: 'person' };
  }
  const sum = (bound: 'low' | 'high') => chosen.reduce((all, { rate, count }) => all + rate[bound] * count, 0);
  const times = months ?? 1;
  return { from: sum('low') * times, to: sum('high') * times, currency, unit: months ? 'total' : 'month' };
}

export interface RolePrice {
  role: string;
  name: string;
  from: number;
  to: number;
}

/** What a month of each role costs, over all its seniorities: the `wanted` roles in their order, all of the card's without any. */
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
