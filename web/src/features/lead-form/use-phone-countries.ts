import { useEffect, useState } from 'react';
import { listPrefixes } from '../../domain/phone-number.ts';
import { readServedCountry } from '../../lib/visitor-country.ts';

export interface PhoneCountry {
  /** ISO 3166-1 alpha-2, lower case. */
  code: string;
  prefix: string;
  name: string;
}

/**
 * Countries with their prefixes, the visitor's own first. Only in the browser: names of 249 countries would be half of the
 * page. A browser that lacks the language names them in English.
 */
export function usePhoneCountries(lang: string): PhoneCountry[] {
  const [countries, setCountries] = useState<PhoneCountry[]>([]);
  useEffect(() => {
    const names = new Intl.DisplayNames([lang, 'en'], { type: 'region' });
    const own = readServedCountry();
    const all = listPrefixes().map(([code, prefix]) => ({ code, prefix, name: names.of(code.toUpperCase()) ?? code }));
    const rank = ({ code }: PhoneCountry) => (code === own ? 0 : 1);
    setCountries(all.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, lang)));
  }, [lang]);
  return countries;
}
