/**
 * The names that classes and keyframes of the modules have in the build: two letters each, by their place in a list of all of
 * them. Both builds make the same list, and neighbours in a file have names alike, which compress best.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'postcss';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SRC = join(import.meta.dirname, '../src');

/** Returns the names that modules may have. Extra names do no harm. */
export function namesIn(css: string, from?: string): string[] {
  const names = new Set<string>();
  const root = parse(css, { from });
  root.walkRules(({ selector }) => {
    for (const [, name = ''] of selector.matchAll(/[.#]([a-z_][\w-]*)/gi)) names.add(name);
  });
  root.walkAtRules('keyframes', ({ params }) => {
    names.add(params);
  });
  return [...names];
}

/** By number: the first has `aa`. Never one that blockers of advertising look for. */
export function shortNames(count: number): string[] {
  const all = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second));
  const free = all.filter((name) => name.toLowerCase() !== 'ad');
  if (count > free.length) throw new Error(`${count} names of classes are more than two letters have: take three.`);
  return free.slice(0, count);
}

/** `generateScopedName` of CSS modules, for the modules there are now. */
export function classNames(): (name: string, file: string) => string {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.module.css'));
  const places = files.sort().flatMap((path) => {
    const names = namesIn(readFileSync(join(SRC, path), 'utf8'), join(SRC, path));
    return names.map((name) => `${path} ${name}`);
  });
  const short = shortNames(places.length);
  const byPlace = new Map(places.map((place, index) => [place, short[index] ?? '']));
  return (name, file) => {
    const place = `${file.replace(/^.*\/src\//, '').replace(/\?.*$/, '')} ${name}`;
    const found = byPlace.get(place);
    if (found === undefined) throw new Error(`${place} is in none of the modules that were read when the build began.`);
    return found;
  };
}
