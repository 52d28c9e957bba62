/** What the browser's part of the build weighs, and what it may weigh. Bytes of the Brotli copies, at best quality. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { JSDOM } from 'jsdom';
import type { Assets } from '../src/document/assets.ts';
import type { When } from '../src/runtime/parts/parts.ts';
import { examplePages, sharedExample } from './examples.ts';
import { htmlOf, Worker } from './worker.ts';

/** Code that pages fetch, and why: also what `portolan explain --scripts` goes by. */
export interface PageCode {
  name: string;
  /** Path in the folder `web`. */
  source: string;
  /** Elements that a page has it for; empty where every page has it. */
  on: string;
  /** `paint`: after the first paint; `wake`: as an island; the others as of a part. */
  when: 'paint' | 'wake' | When;
  /** Its chunks, and those they import. */
  urls: string[];
}

export interface Weight {
  /** The script before load. */
  loader: number;
  /** All script that comes while a page is read from top to bottom and nothing in it is touched, by example page. */
  pages: Record<string, number>;
  /** What the heaviest page has once somebody has come near to the heaviest island: the runtime of islands, and the island. */
  island: number;
  stylesheet: number;
  /** What no page waits for: fetched by the browser after load, once in a while. */
  serviceWorker: number;
}

const PAGE_BUDGET = 13_200;
/** Nobody makes a page of every block in every example; it shows what blocks add up to. */
const EVERY_BLOCK_BUDGET = 13_750;

export const BUDGET: Omit<Weight, 'pages'> = {
  loader: 3_300,
  island: 75_000,
  stylesheet: 14_000,
  serviceWorker: 8_000,
};

export async function measureWeight(dist: URL, assets: Assets, codes: PageCode[]): Promise<Weight> {
  const weights = new Map<string, Promise<number>>();
  const weigh = (url: string) => {
    const weight =
      weights.get(url) ?? readFile(new URL(`client${url}`, dist)).then((file) => brotliCompressSync(file).length);
    weights.set(url, weight);
    return weight;
  };
  const sum = async (urls: Iterable<string>) => {
    const all = await Promise.all([...new Set([assets.script, ...urls])].map(weigh));
    return all.reduce((total, one) => total + one, 0);
  };
  const pages = Object.entries(await scriptsOfExamples(dist, codes));
  const islands = pages.flatMap(([, page]) => Object.values(assets.islands).map((island) => [...page, ...island]));
  return {
    loader: await weigh(assets.script),
    pages: Object.fromEntries(await Promise.all(pages.map(async ([kind, page]) => [kind, await sum(page)]))),
    island: Math.max(...(await Promise.all(islands.map(sum)))),
    stylesheet: await weigh(assets.stylesheet),
    serviceWorker: await weigh('/service-worker.js'),
  };
}

/** By example page, which the build renders itself: URLs of the scripts that nobody needs to touch. */
async function scriptsOfExamples(dist: URL, codes: PageCode[]): Promise<Record<string, string[]>> {
  const worker = new Worker(fileURLToPath(new URL('server/render-worker.js', dist)));
  worker.addShared('example', sharedExample());
  const scripts: Record<string, string[]> = {};
  for (const [kind, page] of Object.entries(examplePages())) {
    const { document } = new JSDOM(htmlOf(await worker.renderHtml(page, 'example'))).window;
    const there = codes.filter(
      ({ on, when }) => when !== 'touch' && when !== 'wake' && (on === '' || document.querySelector(on)),
    );
    scripts[kind] = there.flatMap(({ urls }) => urls);
  }
  await worker.end();
  return scripts;
}

/** Prints the weight; a build of ours that is too heavy is not one. With plugins it is said, and theirs to decide. */
export function checkBudget(weight: Weight, hasPlugins: boolean): void {
  const entries: [name: string, bytes: number, limit: number][] = [
    ['loader', weight.loader, BUDGET.loader],
    ...Object.entries(weight.pages).map(([kind, bytes]): [string, number, number] => [
      kind,
      bytes,
      kind === 'blocks' ? EVERY_BLOCK_BUDGET : PAGE_BUDGET,
    ]),
    ['near an island', weight.island, BUDGET.island],
    ['stylesheet', weight.stylesheet, BUDGET.stylesheet],
    ['/sw.js', weight.serviceWorker, BUDGET.serviceWorker],
  ];
  for (const [name, bytes, limit] of entries) console.log(`${name.padEnd(14)} ${bytes} of ${limit} bytes (Brotli)`);
  const heavy = entries.filter(([, bytes, limit]) => bytes > limit).map(([name]) => name);
  if (heavy.length === 0) return;
  const words = `Too heavy: ${heavy.join(', ')}. Visitors on slow lines pay for it. See web/scripts/weight.ts.`;
  if (!hasPlugins) throw new Error(words);
  console.warn(words);
}
