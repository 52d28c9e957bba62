/** What the browser's part of the build weighs, and what it may weigh. Bytes of the Brotli copies, at best quality. */
import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Assets } from '../src/document/assets.ts';

export interface Weight {
  /** The script before load. */
  loader: number;
  /** All script of a page that nobody touches, by kind of page. */
  pages: Record<string, number>;
  /** What the heaviest page has once somebody has come near to the heaviest island: the runtime of islands, and the island. */
  island: number;
  stylesheet: number;
  /** What no page waits for: fetched by the browser after load, once in a while. */
  serviceWorker: number;
}

const PAGE_BUDGET = 12_000;

export const BUDGET: Omit<Weight, 'pages'> = {
  loader: 3_000,
  island: 75_000,
  stylesheet: 14_000,
  serviceWorker: 8_000,
};

/** `pages`: by kind of page, URLs of the chunks that it has without being touched. */
export async function measureWeight(dist: URL, assets: Assets, pages: Record<string, string[]>): Promise<Weight> {
  const weigh = async (url: string) => brotliCompressSync(await readFile(new URL(`client${url}`, dist))).length;
  const sum = async (urls: Iterable<string>) => {
    const weights = await Promise.all([...new Set([assets.script, ...urls])].map(weigh));
    return weights.reduce((all, one) => all + one, 0);
  };
  const kinds = Object.entries(pages);
  const islands = kinds.flatMap(([, page]) => Object.values(assets.islands).map((island) => [...page, ...island]));
  return {
    loader: await weigh(assets.script),
    pages: Object.fromEntries(await Promise.all(kinds.map(async ([kind, page]) => [kind, await sum(page)]))),
    island: Math.max(...(await Promise.all(islands.map(sum)))),
    stylesheet: await weigh(assets.stylesheet),
    serviceWorker: await weigh('/service-worker.js'),
  };
}

/** Prints the weight; a build that is too heavy is not one. */
export function checkBudget(weight: Weight): void {
  const entries: [name: string, bytes: number, limit: number][] = [
    ['loader', weight.loader, BUDGET.loader],
    ...Object.entries(weight.pages).map(([kind, bytes]): [string, number, number] => [kind, bytes, PAGE_BUDGET]),
    ['near an island', weight.island, BUDGET.island],
    ['stylesheet', weight.stylesheet, BUDGET.stylesheet],
    ['/sw.js', weight.serviceWorker, BUDGET.serviceWorker],
  ];
  for (const [name, bytes, limit] of entries) console.log(`${name.padEnd(14)} ${bytes} of ${limit} bytes (Brotli)`);
  const heavy = entries.filter(([, bytes, limit]) => bytes > limit).map(([name]) => name);
  if (heavy.length > 0)
    throw new Error(`Too heavy: ${heavy.join(', ')}. Visitors on slow lines pay for it. See web/scripts/weight.ts.`);
}
