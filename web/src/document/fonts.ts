/** Which font files the first lines of a page need, so that they are asked for before the stylesheet names them. */
export type Letters = 'latin' | 'latinExtended' | 'cyrillic' | 'arabic';

/** Beginnings of file names as fontsource and `scripts/fonts.ts` have them; the build fails if one is not there. */
export const EARLY_FONTS: Record<Letters, string[]> = {
  latin: ['manrope-latin-wght-normal'],
  latinExtended: ['manrope-latin-wght-normal', 'manrope-latin-ext-wght-normal'],
  cyrillic: ['manrope-cyrillic-wght-normal', 'manrope-latin-wght-normal'],
  arabic: ['plex-arabic-letters-400', 'plex-arabic-letters-600'],
};

/** Languages in which almost every line has letters that the Latin file lacks, such as ə or ł. */
const LATIN_EXTENDED = new Set(['az', 'cs', 'hu', 'lt', 'lv', 'pl', 'ro', 'sk', 'sl', 'tr']);

export function lettersOf(lang: string): Letters {
  const { language, script } = new Intl.Locale(lang).maximize();
  if (script === 'Arab') return 'arabic';
  if (script === 'Cyrl') return 'cyrillic';
  return LATIN_EXTENDED.has(language) ? 'latinExtended' : 'latin';
}
