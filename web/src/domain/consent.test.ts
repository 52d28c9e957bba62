import { describe, expect, it } from 'vitest';
import {
  ALL,
  addMonths,
  buildSignals,
  type ConsentInput,
  chooseConsent,
  cutAtLineBreak,
  decideConsent,
  isStillSeen,
  NOTHING,
  readConsentValue,
  startingConsent,
  writeConsentValue,
} from './consent.ts';

const STATISTICS = { ad_storage: false, analytics_storage: true };
const VERSION = { policy_version: '2' };
const INPUT: ConsentInput = {
  profile: 'spec',
  theme: 'gdpr',
  policyVersion: '2',
  saved: null,
  seen: false,
  gpc: false,
};

describe('the profile spec (spec §4)', () => {
  it.each([
    ['gdpr asks until there is a choice, and grants meanwhile', {}, ['gdpr', null, ALL]],
    ['gdpr holds to what was chosen', { saved: STATISTICS }, ['nothing', null, STATISTICS]],
    ['gdpr knows no seen flag', { seen: true }, ['gdpr', null, ALL]],
    ['small saves by itself and tells', { theme: 'small' }, ['small', ALL, ALL]],
    ['small tells until it was seen', { theme: 'small', saved: ALL }, ['small', null, ALL]],
    ['small saves by itself also when it was seen', { theme: 'small', seen: true }, ['nothing', ALL, ALL]],
    ['small is silent once seen', { theme: 'small', saved: NOTHING, seen: true }, ['nothing', null, NOTHING]],
    ['a newer policy asks nobody again', { saved: { ...ALL, policy_version: '1' } }, ['nothing', null, ALL]],
    ['the browser’s signal changes nothing', { gpc: true }, ['gdpr', null, ALL]],
  ] as const)('%s', (_, input, [shows, saves, granted]) => {
    expect(decideConsent({ ...INPUT, ...input })).toEqual({ shows, saves, granted });
  });
});

describe('the profile strict (docs/privacy.md)', () => {
  it.each([
    ['gdpr asks and grants nothing', {}, ['gdpr', NOTHING]],
    ['small asks, saves nothing by itself and grants nothing', { theme: 'small' }, ['small', NOTHING]],
    ['small that was seen without a choice asks again', { theme: 'small', seen: true }, ['small', NOTHING]],
    ['what was agreed to is granted', { saved: { ...ALL, ...VERSION } }, ['nothing', ALL]],
    ['part of it, too', { theme: 'small', saved: { ...STATISTICS, ...VERSION } }, ['nothing', STATISTICS]],
    ['a refusal is a choice', { saved: { ...NOTHING, ...VERSION } }, ['nothing', NOTHING]],
    ['a choice under another policy is none', { saved: { ...ALL, policy_version: '1' } }, ['gdpr', NOTHING]],
    ['what another profile saved by itself is none', { saved: ALL }, ['gdpr', NOTHING]],
    ['the browser’s signal is heard before', { gpc: true }, ['gdpr', NOTHING]],
    ['and after a choice', { gpc: true, saved: { ...ALL, ...VERSION } }, ['nothing', STATISTICS]],
  ] as const)('%s', (_, input, [shows, granted]) => {
    expect(decideConsent({ ...INPUT, profile: 'strict', ...input })).toEqual({ shows, saves: null, granted });
  });
});

describe('what is kept of a choice', () => {
  it.each([
    ['spec', false, ALL, ALL],
    ['spec', true, ALL, ALL],
    ['strict', false, ALL, { ...ALL, ...VERSION }],
    ['strict', false, NOTHING, { ...NOTHING, ...VERSION }],
    ['strict', true, ALL, { ...STATISTICS, ...VERSION }],
  ] as const)('%s, signal %s', (profile, gpc, choice, kept) => {
    expect(chooseConsent(choice, { ...INPUT, profile, gpc })).toEqual(kept);
  });
});

describe('the cookie', () => {
  it('is percent-encoded JSON, there and back', () => {
    const value = writeConsentValue(STATISTICS);
    expect(value).toBe('%7B%22ad_storage%22%3Afalse%2C%22analytics_storage%22%3Atrue%7D');
    expect(readConsentValue(value)).toEqual(STATISTICS);
  });

  it.each([
    '',
    'null',
    '1',
    '[]',
    '%7B%7D',
    '%',
    '%7B%22ad_storage%22%3Atrue%7D',
    '{"ad_storage":1,"analytics_storage":0}',
  ])('that says %j says nothing', (value) => {
    expect(readConsentValue(value)).toBeNull();
  });
});

it.each([
  [ALL, ['granted', 'granted', 'granted', 'granted']],
  [NOTHING, ['denied', 'denied', 'denied', 'denied']],
  [STATISTICS, ['denied', 'granted', 'denied', 'denied']],
])('tags hear of %o in four signals', (consent, [ad_storage, analytics_storage, ad_user_data, ad_personalization]) => {
  expect(buildSignals(consent)).toEqual({ ad_storage, analytics_storage, ad_user_data, ad_personalization });
});

it('tags start denied in strict alone', () => {
  expect(startingConsent('strict')).toEqual(NOTHING);
  expect(startingConsent('spec')).toEqual(ALL);
});

it.each([
  ['2026-11-21T10:00:00Z', '2027-02-21T10:00:00Z'],
  ['2026-10-31T10:00:00Z', '2027-01-31T10:00:00Z'],
])('three months after %s is %s', (from, until) => {
  expect(addMonths(new Date(from), 3)).toEqual(new Date(until));
});

it.each([
  [null, false],
  ['', false],
  ['yes', false],
  ['2026-08-21T10:00:00.001Z', true],
  ['2026-08-21T10:00:00Z', false],
])('the notice seen at %s counts: %s', (seen, counts) => {
  expect(isStillSeen(seen, new Date('2026-11-21T10:00:00Z'), 3)).toBe(counts);
});

it.each([
  ['a', ['a', '']],
  ['a\nb', ['a', 'b']],
  ['a\nb\nc', ['a', 'b\nc']],
])('%j is cut at its first line break', (text, parts) => {
  expect(cutAtLineBreak(text)).toEqual(parts);
});
