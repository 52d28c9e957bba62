import { describe, expect, it } from 'vitest';
import type { VisitorRules } from '../contract/types.ts';
import { decideVisitor, type VisitorSettings } from './visitor.ts';

const PHONES = [
  { id: 'dallas', isDefault: true, countries: ['us'] },
  { id: 'london', isDefault: false, countries: ['gb', 'ie'] },
  { id: 'berlin', isDefault: false, countries: ['de'] },
  { id: 'almaty', isDefault: false, countries: ['kz'] },
];
const BY_VISITOR: VisitorRules = {
  country: '',
  phone: 'visitor',
  offices: 'visitor',
  consentTheme: 'by-country',
  consentProfile: 'spec',
  consentPolicyVersion: '1',
};
const EN: VisitorSettings = { rules: BY_VISITOR, officeSet: 'default', phones: PHONES };
const UK: VisitorSettings = {
  rules: { ...BY_VISITOR, country: 'gb', offices: 'own' },
  officeSet: 'uk',
  phones: PHONES,
};
const DE: VisitorSettings = {
  rules: { ...BY_VISITOR, country: 'de', phone: 'own', offices: 'own', consentTheme: 'small' },
  officeSet: 'de',
  phones: PHONES,
};
const KZ: VisitorSettings = {
  rules: { ...BY_VISITOR, country: 'kz', phone: 'own', offices: 'own' },
  officeSet: 'kz',
  phones: PHONES,
};
const PL: VisitorSettings = {
  rules: { ...BY_VISITOR, country: 'pl', offices: 'own', consentTheme: 'small' },
  officeSet: 'default',
  phones: PHONES,
};
const SITES = { EN, UK, DE, KZ, PL };

describe('the international site', () => {
  it.each([
    [undefined, 'default', 'dallas', 'small'],
    ['us', 'default', 'dallas', 'small'],
    ['in', 'in', 'dallas', 'small'],
    ['gb', 'uk', 'london', 'gdpr'],
    ['kz', 'kz', 'almaty', 'small'],
    ['az', 'az', 'dallas', 'small'],
    ['ae', 'ae', 'dallas', 'small'],
    ['de', 'de', 'berlin', 'gdpr'],
    ['fr', 'fr', 'dallas', 'gdpr'],
    ['by', 'cis', 'dallas', 'small'],
    ['ua', 'default', 'dallas', 'small'],
    ['ch', 'default', 'dallas', 'gdpr'],
    ['no', 'default', 'dallas', 'gdpr'],
    ['br', 'default', 'dallas', 'small'],
  ] as const)(
    'shows a visitor from %s the offices %s, the number of %s and the %s banner',
    (cookie, set, phone, theme) => {
      const visitor = decideVisitor(EN, cookie);
      expect([visitor.officeSet, visitor.phone, visitor.consentTheme]).toEqual([set, phone, theme]);
    },
  );

  it('labels the headquarters for visitors from its country alone', () => {
    expect(['us', 'gb', undefined].map((cookie) => decideVisitor(EN, cookie).headquarters)).toEqual([
      true,
      false,
      false,
    ]);
    expect(decideVisitor(PL, 'us').headquarters).toBe(false);
  });

  it('assumes no country', () => {
    expect(decideVisitor(EN, undefined)).toMatchObject({ country: '', countryFrom: 'nothing', cis: false });
  });
});

describe('a country site', () => {
  it.each([
    ['UK', undefined, 'gb', 'site', 'uk', 'london', 'gdpr'],
    ['UK', 'de', 'de', 'cookie', 'uk', 'berlin', 'gdpr'],
    ['DE', undefined, 'de', 'site', 'de', 'berlin', 'small'],
    ['DE', 'gb', 'gb', 'cookie', 'de', 'berlin', 'small'],
    ['KZ', undefined, 'kz', 'site', 'kz', 'almaty', 'small'],
    ['KZ', 'fr', 'fr', 'cookie', 'kz', 'almaty', 'gdpr'],
    ['PL', undefined, 'pl', 'site', 'default', 'dallas', 'small'],
    ['PL', 'gb', 'gb', 'cookie', 'default', 'london', 'small'],
  ] as const)(
    '%s, cookie %s: country %s from the %s, offices %s, number of %s, banner %s',
    (site, cookie, country, from, set, phone, theme) => {
      expect(decideVisitor(SITES[site], cookie)).toMatchObject({
        country,
        countryFrom: from,
        officeSet: set,
        phone,
        consentTheme: theme,
      });
    },
  );
});

describe.each(Object.entries(SITES))('on every site (%s)', (_, site) => {
  it('career links are for the CIS, without Ukraine', () => {
    const seen = ['am', 'az', 'by', 'kg', 'kz', 'md', 'ru', 'tj', 'tm', 'uz', 'ua', 'de'].filter(
      (country) => decideVisitor(site, country).cis,
    );
    expect(seen).toEqual(['am', 'az', 'by', 'kg', 'kz', 'md', 'ru', 'tj', 'tm', 'uz']);
  });
});

it('a site without phones shows none', () => {
  expect(decideVisitor({ ...EN, phones: [] }, 'de').phone).toBe('');
});
