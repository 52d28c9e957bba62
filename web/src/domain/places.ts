/** `Hamburg, Germany`: a place in a language. Not for the browser, which lacks some of our languages. */
export function printPlace(city: string, country: string, lang: string): string {
  const name = country && new Intl.DisplayNames(lang, { type: 'region' }).of(country.toUpperCase());
  const comma = lang.startsWith('ar') ? '،' : ',';
  return name ? `${city}${comma} ${name}` : city;
}
