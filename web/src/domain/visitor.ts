/**
 * The consequences of the visitor's country (spec §6, §9; decisions: Visitor's country). Pure. All decisions are made here; the
 * inline script in the head (`entries/visitor.ts`) and `explain()` use it.
 */
import { cis, eea } from '../../../contract/constants.json';
import type { Phone, VisitorRules } from '../contract/types.ts';

/** The site's rules from the page: the JSON in front of the inline script. */
export interface VisitorSettings {
  rules: VisitorRules;
  /** The set of the site itself. */
  officeSet: string;
  phones: Pick<Phone, 'id' | 'isDefault' | 'countries'>[];
}

export interface Visitor {
  /** ISO 3166-1 alpha-2, lower case; empty where none is known or assumed. */
  country: string;
  countryFrom: 'cookie' | 'site' | 'nothing';
  officeSet: string;
  /** Whether the headquarters is labelled as such. */
  headquarters: boolean;
  /** Id of the phone shown; empty where the site has none. */
  phone: string;
  /** Career links are for visitors from the CIS. */
  cis: boolean;
  consentTheme: 'gdpr' | 'small';
}

/** Countries whose visitors see the set of the same name on a site where the country decides; `gb` has the set `uk`. */
const OFFICE_SETS: Record<string, string> = {
  in: 'in',
  gb: 'uk',
  kz: 'kz',
  az: 'az',
  ae: 'ae',
  de: 'de',
  fr: 'fr',
};
const HEADQUARTERS_COUNTRY = 'us';
const GDPR_BESIDE_EEA = ['ch', 'gb'];

export function decideVisitor({ rules, officeSet, phones }: VisitorSettings, cookie: string | undefined): Visitor {
  const country = cookie || rules.country;
  const byVisitor = rules.offices === 'visitor';
  return {
    country,
    countryFrom: cookie ? 'cookie' : country ? 'site' : 'nothing',
    officeSet: byVisitor ? (OFFICE_SETS[country] ?? (cis.includes(country) ? 'cis' : officeSet)) : officeSet,
    headquarters: byVisitor && country === HEADQUARTERS_COUNTRY,
    phone: choosePhone(phones, rules.phone === 'own' ? rules.country : country),
    cis: cis.includes(country),
    consentTheme: chooseTheme(rules.consentTheme, country),
  };
}

function choosePhone(phones: VisitorSettings['phones'], country: string): string {
  const own = country ? phones.find(({ countries }) => countries.includes(country)) : undefined;
  return (own ?? phones.find(({ isDefault }) => isDefault) ?? phones[0])?.id ?? '';
}

function chooseTheme(rule: VisitorRules['consentTheme'], country: string): Visitor['consentTheme'] {
  if (rule !== 'by-country') return rule;
  return eea.includes(country) || GDPR_BESIDE_EEA.includes(country) ? 'gdpr' : 'small';
}
