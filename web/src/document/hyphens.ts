/**
 * Soft hyphens in the long words of titles. A browser without a dictionary of the language breaks a compound anywhere, and
 * hides this from scripts.
 */
import { createRequire } from 'node:module';

interface Library {
  hyphenateSync(text: string): string;
}

/** Languages with long compounds, by hyphenation library. Other languages break between words. */
const LIBRARIES: Readonly<Record<string, string>> = { de: 'hyphen/de' };

/** As the styles have it for browsers with a dictionary (`hyphenate-limit-chars`, tokens/reset.css). */
const LONG_WORD = /\p{L}{12,}/gu;
/** Letters before and behind a break. */
const LEAST = 5;
const SOFT_HYPHEN = '\u00ad';

/** Titles are the same on many pages, and words in many titles. */
const known = new Map<string, string>();
const WORDS_KEPT = 5000;

/** `lang`: the page's language tag. For an unknown language, the result returns its text unchanged. */
export function makeHyphenate(lang: string): (text: string) => string {
  const name = LIBRARIES[lang.split('-')[0] ?? ''];
  if (!name) return (text) => text;
  return (text) => text.replace(LONG_WORD, (word) => hyphenateWord(word, name));
}

function hyphenateWord(word: string, name: string): string {
  const key = `${name} ${word}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  // Half a megabyte of patterns: read by a process that meets the first long word.
  const library = createRequire(import.meta.url)(name) as Library;
  let at = 0;
  let hyphenated = '';
  for (const syllable of library.hyphenateSync(word).split(SOFT_HYPHEN)) {
    if (at >= LEAST && word.length - at >= LEAST) hyphenated += SOFT_HYPHEN;
    hyphenated += syllable;
    at += syllable.length;
  }
  if (known.size >= WORDS_KEPT) known.clear();
  known.set(key, hyphenated);
  return hyphenated;
}
