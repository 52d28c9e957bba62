/**
 * Finds the browser code of blocks, features and layouts by file name: a *part* in `*.part.ts`, an *island* in `*.island.tsx`.
 * The loader imports their lists as the modules `virtual:parts` and `virtual:islands`.
 */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';
import type { Part, Run } from '../src/runtime/parts/parts.ts';

const WEB = fileURLToPath(new URL('../', import.meta.url));

export interface PartFile extends Part {
  /** Name of the file without `.part.ts`. */
  name: string;
  /** Path in the folder `web`. */
  source: string;
}

export interface IslandFile {
  /** The value of `data-island`. */
  name: string;
  source: string;
}

function findFiles(ending: string): { name: string; source: string }[] {
  const sources = globSync(`src/{ui,features,blocks,layouts}/**/*${ending}`, { cwd: WEB }).sort();
  const files = sources.map((source) => ({ name: basename(source, ending), source }));
  for (const [index, { name, source }] of files.entries()) {
    const other = files.slice(index + 1).find((file) => file.name === name);
    if (other) throw new Error(`${source} and ${other.source} have the same name, and visitors are told them by it.`);
  }
  return files;
}

export function findIslands(): IslandFile[] {
  return findFiles('.island.tsx');
}

/** As an island is exported: `LeadForm` of `lead-form.island.tsx`. */
export function componentName(island: string): string {
  return island.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The exports of the files, which are run outside of a browser for it. */
export async function findParts(): Promise<PartFile[]> {
  const files = findFiles('.part.ts');
  const list = '\0parts-of-all-files';
  const code = [
    ...files.map(({ source }, index) => `import * as file${index} from ${JSON.stringify(`${WEB}${source}`)};`),
    `export const modules = [${files.map((_, index) => `file${index}`)}];`,
  ].join('\n');
  const { module } = await runnerImport<{ modules: { part?: Part; run?: Run }[] }>(list, {
    root: WEB,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'parts-of-all-files',
        resolveId: (id) => (id === list ? id : null),
        load: (id) => (id === list ? code : null),
      },
    ],
  });
  return files.map((file, index) => {
    const { part, run } = module.modules[index] ?? {};
    if (!part || !run)
      throw new Error(`${file.source} exports "part", what it runs on and when, and "run", what it does.`);
    return { ...file, ...part };
  });
}

const PARTS = 'virtual:parts';
const ISLANDS = 'virtual:islands';

export function browserCode(): Plugin {
  return {
    name: 'browser-code',
    resolveId: (id) => (id === PARTS || id === ISLANDS ? `\0${id}` : null),
    async load(id) {
      if (id === `\0${PARTS}`) {
        const parts = (await findParts()).map(
          ({ on, when, source }) =>
            `[${JSON.stringify(on)}, ${JSON.stringify(when)}, async () => (await import(${address(source)})).run]`,
        );
        return `export const PARTS = [${parts.join(',\n')}];`;
      }
      if (id !== `\0${ISLANDS}`) return null;
      const islands = findIslands().map(
        ({ name, source }) =>
          `${JSON.stringify(name)}: async () => (await import(${address(source)})).${componentName(name)}`,
      );
      return `export const ISLANDS = {${islands.join(',\n')}};`;
    },
  };
}

function address(source: string): string {
  return JSON.stringify(`/${source}`);
}
