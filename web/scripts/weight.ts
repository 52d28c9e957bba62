/** The weight of the build's browser code, and its limits. Bytes of the Brotli copies at best quality. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { JSDOM } from 'jsdom';
import type { Assets } from '../src/document/assets.ts';
import type { When } from '../src/runtime/parts/parts.ts';
import { examplePages, sharedExample } from './examples.ts';
import type { Scripts } from './page-code.ts';
import { htmlOf, Worker } from './worker.ts';

/** Code that pages fetch, and the reason; `portolan explain --scripts` uses it too. */
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
  /** The heaviest island with the runtime of islands, fetched once a visitor comes near. */
  islands: { react: number; preact: number };
  stylesheet: number;
  /** Fetched by the browser after load from time to time, so pages do not wait for it. */
  serviceWorker: number;
}

const PAGE_BUDGET = 13_000;
/** Every block in every example: an unrealistic page that shows the sum of all blocks. */
const EVERY_BLOCK_BUDGET = 13_500;

export const BUDGET: Omit<Weight, 'pages'> = {
  loader: 3_000,
  islands: { react: 100_000, preact: 50_000 },
  stylesheet: 14_000,
  serviceWorker: 8_000,
};

/** A budget is a goal: a build that is up to a tenth above it says so, one that is heavier still fails. */
const ROOM = 1.1;

/** `react` and `preact`: the scripts of both builds. Pages are weighed with React's; Preact's differ in nothing but names. */
export async function measureWeight(
  dist: URL,
  assets: Assets,
  { react, preact }: { react: Scripts; preact: Scripts },
): Promise<Weight> {
  const scale = new Scale(dist);
  const pages = Object.entries(await listUntouched(dist, react.codes));
  const weighPage = ({ script, codes }: Scripts, there: Set<string>, island: string[] = []) =>
    scale.weigh([script, ...codes.filter(({ name }) => there.has(name)).flatMap(({ urls }) => urls), ...island]);
  const weighIslands = async (scripts: Scripts) => {
    const islands = Object.values(scripts.islands);
    const all = pages.flatMap(([, there]) => islands.map((island) => weighPage(scripts, there, island)));
    return Math.max(...(await Promise.all(all)));
  };
  return {
    loader: await scale.weigh([react.script]),
    pages: Object.fromEntries(
      await Promise.all(pages.map(async ([kind, there]) => [kind, await weighPage(react, there)] as const)),
    ),
    islands: { react: await weighIslands(react), preact: await weighIslands(preact) },
    stylesheet: await scale.weigh([assets.stylesheet]),
    serviceWorker: await scale.weigh(['/service-worker.js']),
  };
}

class Scale {
  readonly #dist: URL;
  readonly #weights = new Map<string, Promise<number>>();

  constructor(dist: URL) {
    this.#dist = dist;
  }

  async weigh(urls: Iterable<string>): Promise<number> {
    const all = await Promise.all([...new Set(urls)].map((url) => this.#weighOne(url)));
    return all.reduce((total, one) => total + one, 0);
  }

  #weighOne(url: string): Promise<number> {
    const known = this.#weights.get(url);
    if (known) return known;
    const weight = readFile(new URL(`client${url}`, this.#dist)).then((file) => brotliCompressSync(file).length);
    this.#weights.set(url, weight);
    return weight;
  }
}

/** Return the scripts that load without a touch, by example page. The build renders the pages itself. */
async function listUntouched(dist: URL, codes: PageCode[]): Promise<Record<string, Set<string>>> {
  const worker = new Worker(fileURLToPath(new URL('server/render-worker.js', dist)));
  worker.addShared('example', sharedExample());
  const scripts: Record<string, Set<string>> = {};
  for (const [kind, page] of Object.entries(examplePages())) {
    const { document } = new JSDOM(htmlOf(await worker.renderHtml(page, 'example'))).window;
    const there = codes.filter(
      ({ on, when }) => when !== 'touch' && when !== 'wake' && (on === '' || document.querySelector(on)),
    );
    scripts[kind] = new Set(there.map(({ name }) => name));
  }
  await worker.end();
  return scripts;
}

/** Prints the weight; a build of ours that is much too heavy is not one. With plugins it is said, and theirs to decide. */
export function checkBudget(weight: Weight, hasPlugins: boolean): void {
  const entries: [name: string, bytes: number, limit: number][] = [
    ['loader', weight.loader, BUDGET.loader],
    ...Object.entries(weight.pages).map(([kind, bytes]): [string, number, number] => [
      kind,
      bytes,
      kind === 'blocks' ? EVERY_BLOCK_BUDGET : PAGE_BUDGET,
    ]),
    ['near an island, React', weight.islands.react, BUDGET.islands.react],
    ['near an island, Preact', weight.islands.preact, BUDGET.islands.preact],
    ['stylesheet', weight.stylesheet, BUDGET.stylesheet],
    ['/sw.js', weight.serviceWorker, BUDGET.serviceWorker],
  ];
  for (const [name, bytes, limit] of entries) console.log(`${name.padEnd(22)} ${bytes} of ${limit} bytes (Brotli)`);
  const above = (room: number) => entries.filter(([, bytes, limit]) => bytes > limit * room).map(([name]) => name);
  const describe = (names: string[]) =>
    `Too heavy: ${names.join(', ')}. Visitors on slow lines wait. See web/scripts/weight.ts.`;
  const heavy = above(ROOM);
  if (heavy.length > 0 && !hasPlugins) throw new Error(describe(heavy));
  if (above(1).length > 0) console.warn(describe(above(1)));
}
