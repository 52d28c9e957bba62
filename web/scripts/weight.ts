/** What the browser's part of the build weighs, and what it may weigh. Bytes of the Brotli copies, at best quality. */
import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Assets } from '../src/document/assets.ts';

export interface Weight {
  /** The script before load. */
  loader: number;
  /** All script a page with every island gets without being touched: loader, React, islands. */
  script: number;
  stylesheet: number;
}

export const BUDGET: Weight = { loader: 3_000, script: 70_000, stylesheet: 14_000 };

export async function measureWeight(dist: URL, assets: Assets): Promise<Weight> {
  const weigh = async (url: string) => brotliCompressSync(await readFile(new URL(`client${url}`, dist))).length;
  const loader = await weigh(assets.script);
  const chunks = new Set(Object.values(assets.islands).flat());
  let script = loader;
  for (const chunk of chunks) script += await weigh(chunk);
  return { loader, script, stylesheet: await weigh(assets.stylesheet) };
}

/** Prints the weight; a build that is too heavy is not one. */
export function checkBudget(weight: Weight): void {
  const entries: [name: string, bytes: number, limit: number][] = [
    ['loader', weight.loader, BUDGET.loader],
    ['all script', weight.script, BUDGET.script],
    ['stylesheet', weight.stylesheet, BUDGET.stylesheet],
  ];
  for (const [name, bytes, limit] of entries) console.log(`${name.padEnd(12)} ${bytes} of ${limit} bytes (Brotli)`);
  const heavy = entries.filter(([, bytes, limit]) => bytes > limit).map(([name]) => name);
  if (heavy.length > 0)
    throw new Error(`Too heavy: ${heavy.join(', ')}. Visitors on slow lines pay for it. See web/scripts/weight.ts.`);
}
