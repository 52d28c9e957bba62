/** What the browser's part of the build weighs, and what it may weigh. Bytes of the Brotli copies, at best quality. */
import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Assets } from '../src/document/assets.ts';

export interface Weight {
  /** The script before load. */
  loader: number;
  /** The loader and what makes an application of the pages; no React. */
  runtime: number;
  /** All script the home page gets without being touched: the runtime, what the frame runs, React, the frame's island. */
  home: number;
  /** The same of the page with the heaviest other island (no page of ours has two) that is not fetched at the first touch. */
  heaviest: number;
  stylesheet: number;
  /** What no page waits for: fetched by the browser after load, once in a while. */
  serviceWorker: number;
}

export const BUDGET: Weight = {
  loader: 3_000,
  runtime: 10_000,
  home: 70_000,
  heaviest: 73_000,
  stylesheet: 14_000,
  serviceWorker: 8_000,
};

const FRAME_ISLAND = 'language-switcher';

/** `runtime`, `parts`: URLs of the chunks of the page runtime, and of what runs in a page's frame by itself. */
export async function measureWeight(dist: URL, assets: Assets, runtime: string[], parts: string[]): Promise<Weight> {
  const weigh = async (url: string) => brotliCompressSync(await readFile(new URL(`client${url}`, dist))).length;
  const loader = await weigh(assets.script);
  const sum = async (urls: Iterable<string>) => {
    const weights = await Promise.all([...new Set(urls)].map(weigh));
    return weights.reduce((all, one) => all + one, 0);
  };
  const { [FRAME_ISLAND]: frame = [], ...others } = assets.islands;
  const early = Object.keys(others).filter((name) => !assets.atFirstTouch.includes(name));
  const weighPage = async (islands: string[]) => loader + (await sum([...runtime, ...parts, ...frame, ...islands]));
  return {
    loader,
    runtime: loader + (await sum(runtime)),
    home: await weighPage([]),
    heaviest: Math.max(...(await Promise.all(early.map((name) => weighPage(others[name] ?? []))))),
    stylesheet: await weigh(assets.stylesheet),
    serviceWorker: await weigh('/service-worker.js'),
  };
}

/** Prints the weight; a build that is too heavy is not one. */
export function checkBudget(weight: Weight): void {
  const entries: [name: string, bytes: number, limit: number][] = [
    ['loader', weight.loader, BUDGET.loader],
    ['runtime', weight.runtime, BUDGET.runtime],
    ['home page', weight.home, BUDGET.home],
    ['heaviest page', weight.heaviest, BUDGET.heaviest],
    ['stylesheet', weight.stylesheet, BUDGET.stylesheet],
    ['/sw.js', weight.serviceWorker, BUDGET.serviceWorker],
  ];
  for (const [name, bytes, limit] of entries) console.log(`${name.padEnd(14)} ${bytes} of ${limit} bytes (Brotli)`);
  const heavy = entries.filter(([, bytes, limit]) => bytes > limit).map(([name]) => name);
  if (heavy.length > 0)
    throw new Error(`Too heavy: ${heavy.join(', ')}. Visitors on slow lines pay for it. See web/scripts/weight.ts.`);
}
