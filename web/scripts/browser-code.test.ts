import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import hooks from '../hooks.json' with { type: 'json' };
import { componentName, findIslands, findParts } from './browser-code.ts';

const WEB = join(import.meta.dirname, '..');
const ROOT = join(WEB, '..');

/** Sources without tests, by path in `folder`. */
function read(folder: string, ending: RegExp): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = paths.filter((path) => ending.test(path) && !/\.test\.tsx?$|^testing|__pycache__/.test(path));
  return new Map(sources.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Wagtail's attributes, and attributes that journeys add to pages. */
const OF_OTHERS =
  /^(wagtail-sidebar|studio-start|inline-panel-child|chooser-modal-choice|content-word-count|panel-toggle|to-fix|site-setting|delivery-(site|said)|published-said|edit-form|draftail-editor-wrapper|chooser-title|state|tree-answer|preview(-(link|url))?|streamfield-child|streamfield-block|word|words-search|own|controller|side-panel-toggle|contentpath|inheritance|cell|pair|field|lost|left|difference|follow|chosen|merge|rich-text|way|tag-(runs|more|heard|refused|missed))$/;

const sources = read(join(WEB, 'src'), /\.(tsx?|css)$/);

describe('parts', () => {
  it('are found where they stand, and say what they run on and when', async () => {
    const parts = await findParts();
    expect(parts).toContainEqual({
      name: 'fold-groups',
      source: 'src/features/footer/fold-groups.part.ts',
      on: '[data-accordion]',
      when: 'load',
    });
    expect(parts.map(({ source }) => source.replace(/^src\//, '')).sort()).toEqual(
      [...sources.keys()].filter((path) => path.endsWith('.part.ts')).sort(),
    );
  });

  it('run on what some component draws', async () => {
    const drawn = [...sources].filter(([path]) => path.endsWith('.tsx')).map(([, code]) => code);
    for (const { on, source } of await findParts()) {
      const hook = on.replace(/^.*\[|\]$/g, '');
      expect(
        drawn.some((code) => code.includes(`${hook}=`) || code.includes(`"${hook}"`)),
        source,
      ).toBe(true);
    }
  });
});

describe('islands', () => {
  const islands = findIslands();

  it('are exported under the name of their file, and by no other file', () => {
    expect(islands.length).toBeGreaterThan(0);
    for (const { name, source } of islands)
      expect(sources.get(source.replace(/^src\//, '')), source).toMatch(
        new RegExp(`^export function ${componentName(name)}\\(`, 'm'),
      );
  });

  it('have a test beside them that runs under browser translation', () => {
    for (const { source } of islands) {
      const test = readFileSync(join(WEB, source.replace(/\.tsx$/, '.test.tsx')), 'utf8');
      expect(test, source).toMatch(/import \{ act \} from '[./]*\/testing\/translator\.ts'/);
    }
  });

  it('are all that the browser gets of React: what runs before load imports none of it', () => {
    for (const path of ['entries/browser.ts', 'runtime/islands/islands.ts', 'runtime/parts/parts.ts']) {
      expect(sources.get(path), path).not.toMatch(/^import (?!type)[^;]*from '(react|react-dom)/m);
    }
  });
});

describe('hooks: what stands in HTML for scripts, styles and journeys', () => {
  /** `data-…` in HTML, styles and selectors, `dataset` in scripts. */
  function namesIn(code: string): string[] {
    const attributes = [...code.matchAll(/\bdata-([a-z]+(?:-[a-z]+)*)\b(?!-)/g)].map(([, name = '']) => name);
    const properties = [...code.matchAll(/\bdataset(?:\['(\w+)'\]|\.(\w+))/g)].map(([, one, other]) =>
      (one ?? other ?? '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    return [...attributes, ...properties];
  }

  it('are all in web/hooks.json', () => {
    const unknown = [...sources].flatMap(([path, code]) =>
      namesIn(code)
        .filter((name) => !(name in hooks))
        .map((name) => `${path}: data-${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are all used, and none is looked for that no page has', () => {
    const set = new Set([...sources.values()].flatMap(namesIn));
    const inObjects = sources.get('entries/visitor.ts') ?? '';
    const isSet = (name: string) =>
      set.has(name) || inObjects.includes(`${name.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase())}:`);
    expect(Object.keys(hooks).filter((name) => !isSet(name))).toEqual([]);
  });

  it('are what the journeys go by', () => {
    const journeys = read(join(ROOT, 'e2e'), /\.py$/);
    expect(journeys.size).toBeGreaterThan(0);
    const unknown = [...journeys].flatMap(([path, code]) =>
      [...code.matchAll(/\[data-([a-z]+(?:-[a-z]+)*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !(name in hooks) && !OF_OTHERS.test(name))
        .map((name) => `${path}: data-${name}`),
    );
    expect(unknown).toEqual([]);
  });
});
