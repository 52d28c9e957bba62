/** The scripts that pages fetch, in one of the builds for browsers, out of its manifest. */
import { findIslands, type PartFile } from './browser-code.ts';
import type { PageCode } from './weight.ts';

/** The parts of Vite's manifest that are used here. */
export type Manifest = Record<string, { file: string; imports?: string[] }>;

/** The scripts of a page, for the page and for the publisher. */
export interface Scripts {
  /** URL of the loader. */
  script: string;
  /** By name of the island: the runtime of islands, and the chunks of the island itself. */
  islands: Record<string, string[]>;
  /** All that pages fetch, in the order in which it comes. */
  codes: PageCode[];
}

const LOADER = 'src/entries/browser.ts';
const RUNTIME = 'src/entries/runtime.ts';
const KEEP_CLEAR = 'src/features/consent/browser/keep-clear.ts';
const HYDRATE = 'src/runtime/islands/hydrate.ts';

export function listScripts(manifest: Manifest, partFiles: PartFile[]): Scripts {
  const script = `/${chunkOf(LOADER).file}`;
  const islands = Object.fromEntries(
    findIslands().map(({ name, source }) => [name, [...new Set([...chunksOf(HYDRATE), ...chunksOf(source)])]]),
  );
  const parts = partFiles.map((part) => ({ ...part, urls: chunksOf(part.source) }));
  const codes: PageCode[] = [
    { name: 'loader', source: LOADER, on: '', when: 'paint', urls: [script] },
    ...parts.filter(({ when }) => when === 'load'),
    { name: 'page runtime', source: RUNTIME, on: '', when: 'idle', urls: chunksOf(RUNTIME) },
    { name: 'keep-clear', source: KEEP_CLEAR, on: '[data-consent-theme]', when: 'idle', urls: chunksOf(KEEP_CLEAR) },
    ...['idle', 'near', 'lazy', 'touch'].flatMap((time) => parts.filter(({ when }) => when === time)),
    ...findIslands().map(
      ({ name, source }): PageCode => ({
        name,
        source,
        on: `[data-island=${name}]`,
        when: 'wake',
        urls: islands[name] ?? [],
      }),
    ),
  ];
  return { script, islands, codes };

  function chunkOf(source: string) {
    const chunk = manifest[source];
    if (!chunk) throw new Error(`The build has no chunk for ${source}: nothing that visitors fetch imports it.`);
    return chunk;
  }

  /** A chunk and all that it imports, but for the loader, which is there already. */
  function chunksOf(source: string): string[] {
    const chunk = chunkOf(source);
    return [...(chunk.imports ?? []).filter((name) => name !== LOADER).flatMap(chunksOf), `/${chunk.file}`];
  }
}
