import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ISLANDS } from './islands.ts';

const SRC = join(import.meta.dirname, '..');

/** Sources without tests, by path. */
const sources = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map((path) => [path, readFileSync(join(SRC, path), 'utf8')]),
);

const list = sources.get('entries/islands.ts') ?? '';
const listed = [...list.matchAll(/import\('([^']+)'\)/g)].map(([, path = '']) =>
  relative(SRC, join(SRC, 'entries', path)),
);

describe('the list of islands', () => {
  it('has every component marked "use client", and no other', () => {
    const marked = [...sources].filter(([, code]) => /^'use client';/m.test(code)).map(([path]) => path);
    expect(marked.length).toBeGreaterThan(0);
    expect(marked.sort()).toEqual([...listed].sort());
  });

  it('has every name that a page can use', () => {
    const used = [...sources.values()].flatMap((code) =>
      [...code.matchAll(/<Island\s+name="([^"]+)"/g)].map(([, name]) => name),
    );
    expect(new Set(used)).toEqual(new Set(Object.keys(ISLANDS)));
  });

  it.each(Object.entries(ISLANDS))('loads %s', async (_, load) => {
    expect(await load()).toBeTypeOf('function');
  });

  it('makes no ids that would be others in the browser', () => {
    expect([...sources].filter(([, code]) => /\buseId\b/.test(code)).map(([path]) => path)).toEqual([]);
  });

  it('is all that the browser gets of React: what runs before load imports none of it', () => {
    for (const path of ['entries/browser.ts', 'entries/islands.ts', 'runtime/islands.ts']) {
      expect(sources.get(path), path).not.toMatch(/^import (?!type)[^;]*from '(react|react-dom)/m);
    }
  });
});
