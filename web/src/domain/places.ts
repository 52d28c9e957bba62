import { remember } from './remember.ts';

const regionNames = remember((lang: string) => new Intl.DisplayNames(lang, { type: 'region' }));

/** A country in a language. Not for the browser, which lacks some of our languages. */
export function printCountry(country: string, lang: string): string {
  return regionNames(lang).of(country.toUpperCase()) ?? '';
}

/** `Hamburg, Germany`: a place in a language. */
export function printPlace(city: string, country: string, lang: string): string {
  const name = country && printCountry(country, lang);
  const comma = lang.startsWith('ar') ? '،' : ',';
  return name ? `${city}${comma} ${name}` : city;
}
