/** Which font files are needed for the first lines of a page, by the script of its language. */
export type Script = 'Latn' | 'Cyrl' | 'Arab';

/** Beginnings of file names as fontsource has them; the build fails if one is not there. */
export const EARLY_FONTS: Record<Script, string[]> = {
  Latn: ['manrope-latin-wght-normal'],
  Cyrl: ['manrope-cyrillic-wght-normal', 'manrope-latin-wght-normal'],
  Arab: ['ibm-plex-sans-arabic-arabic-400-normal', 'ibm-plex-sans-arabic-arabic-600-normal'],
};

export function scriptOf(lang: string): Script {
  const script = new Intl.Locale(lang).maximize().script;
  return script === 'Arab' || script === 'Cyrl' ? script : 'Latn';
}
