/**
 * Subsets fonts: `url("@letters/NAME.woff2")` in the stylesheet is the file below, cut to the `unicode-range` of the
 * `@font-face` rules that name it.
 *
 * IBM's Arabic font has the letters of every language in Arabic script, 43 kB a weight. The letters of Arabic itself take
 * 12 kB, without hints for coarse screens, and all of it loads before the first line.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const STYLES = new URL('../src/tokens/fonts.css', import.meta.url);
const MODULES = new URL('../node_modules/', import.meta.url);
const SUBSETS = new URL('.cache/letters/', MODULES);
const ARABIC = '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic';
const SOURCES: Record<string, string> = {
  'plex-arabic-letters-400': `${ARABIC}-400-normal.woff2`,
  'plex-arabic-letters-600': `${ARABIC}-600-normal.woff2`,
};

export function fonts(): Plugin {
  return {
    name: 'portolan-fonts',
    async config() {
      await mkdir(SUBSETS, { recursive: true });
      for (const [name, letters] of lettersByFont(await readFile(STYLES, 'utf8'))) {
        const source = SOURCES[name];
        if (source === undefined)
          throw new Error(`fonts.css names @letters/${name}.woff2, which fonts.ts does not know.`);
        const subset = await subsetFont(await readFile(new URL(source, MODULES)), letters, {
          targetFormat: 'woff2',
          noHinting: true,
        });
        await writeFile(new URL(`${name}.woff2`, SUBSETS), subset);
      }
      return { resolve: { alias: { '@letters': fileURLToPath(SUBSETS).replace(/\/$/, '') } } };
    },
  };
}

/** By name of the font: all letters that rules of the stylesheet take from it. */
export function lettersByFont(css: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [rule] of css.matchAll(/@font-face\s*\{[^}]*\}/g)) {
    const name = /url\("@letters\/([\w-]+)\.woff2"\)/.exec(rule)?.[1];
    if (name === undefined) continue;
    const range = /unicode-range:([^;]*);/.exec(rule)?.[1];
    if (range === undefined) throw new Error(`A @font-face of @letters/${name}.woff2 has no unicode-range.`);
    found.set(name, (found.get(name) ?? '') + lettersIn(range));
  }
  return found;
}

/** `U+20, U+621-63A` as the letters it means. */
function lettersIn(range: string): string {
  let letters = '';
  for (const part of range.split(',')) {
    const [, first = '', last = first] = /^\s*U\+([0-9A-F]+)(?:-([0-9A-F]+))?\s*$/i.exec(part) ?? [];
    const [from, to] = [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    if (Number.isNaN(from) || to < from) throw new Error(`"${part.trim()}" is no range of letters.`);
    for (let code = from; code <= to; code++) letters += String.fromCodePoint(code);
  }
  return letters;
}
