import { describe, expect, it } from 'vitest';
import type { Purpose } from './consent.ts';
import { judgeScript } from './deferred-scripts.ts';

const only =
  (...granted: Purpose[]) =>
  (purpose: Purpose) =>
    granted.includes(purpose);
const EVERYTHING = only('ad_storage', 'analytics_storage');
const SETTINGS = { purpose: 'necessary', withheldIn: ['ua', 'by', 'ru'] } as const;

describe('a deferred script', () => {
  it.each([
    ['necessary', [], 'allowed'],
    ['ad_storage', [], 'not-granted'],
    ['ad_storage', ['analytics_storage'], 'not-granted'],
    ['ad_storage', ['ad_storage'], 'allowed'],
    ['analytics_storage', ['ad_storage'], 'not-granted'],
    ['analytics_storage', ['analytics_storage'], 'allowed'],
  ] as const)('for %s with leave for %j is %s', (purpose, granted, verdict) => {
    for (const country of [undefined, 'de', 'ua'])
      expect(judgeScript({ purpose, withheldIn: [] }, country, only(...granted))).toBe(verdict);
  });

  it.each([
    [undefined, 'allowed'],
    ['de', 'allowed'],
    ['kz', 'allowed'],
    ['ua', 'withheld'],
    ['by', 'withheld'],
    ['ru', 'withheld'],
  ])('kept from three countries is, for a visitor from %s, %s', (country, verdict) => {
    const script = { ...SETTINGS, withheldIn: [...SETTINGS.withheldIn] };
    expect(judgeScript(script, country, EVERYTHING)).toBe(verdict);
    expect(judgeScript(script, country, only())).toBe(verdict);
  });
});
