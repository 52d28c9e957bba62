/**
 * `npm run bench:render [seconds] [-- --short]`: the cost of a page for one render worker, with the contract's example page. Measures
 * the CPU time of the worker's process with storing, so that other work on the machine does not count. Pages a second are for one core.
 *
 * Every page has its own motif, as on a site. `--short` renders a sample to check the script, without a measurement.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PageContent } from '../src/contract/types.ts';
import { pageExample, sharedExample } from './examples.ts';
import { recordsOf, Worker } from './worker.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
});

const PAGES = values.short ? 100 : 1000;
const IN_FLIGHT = 2;
const BATCH = 25;

const seconds = Number(positionals[0] ?? (values.short ? 0 : 3));
const example = pageExample();
const store = mkdtempSync(join(tmpdir(), 'store-'));
mkdirSync(join(store, 'packs'));
const worker = new Worker();
worker.addShared('shared', sharedExample());
let number = 0;

print(`the first ${PAGES} pages after start`, await run(0));
const end = performance.now() + seconds * 1000;
const rounds: number[] = [];
do rounds.push(await run(0));
while (performance.now() < end);
rounds.sort((a, b) => a - b);
print('after that (median)', rounds[Math.floor(rounds.length / 2)] ?? Number.NaN);
print('with HTML compressed by Brotli 5', await run(5));
await worker.end();
rmSync(store, { recursive: true });

/** Renders PAGES pages; milliseconds of CPU for one. */
async function run(brotli: number): Promise<number> {
  const start = cpuTime(worker.process.pid);
  const last = number + PAGES;
  const lane = async () => {
    while (number < last) {
      const pages = Array.from({ length: BATCH }, nextPage);
      recordsOf(await worker.storePages(pages, 'shared', store, { brotli, pack: 'bench' }));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return (cpuTime(worker.process.pid) - start) / PAGES;
}

function nextPage(): PageContent {
  number += 1;
  return { ...example, path: `/page-${number}`, key: `page-${number}`, header: 'solid', motif: number };
}

/** CPU time a process has used, in milliseconds; Linux counts it in hundredths of a second. */
function cpuTime(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

function print(what: string, msPerPage: number): void {
  console.log(`${what.padEnd(36)} ${msPerPage.toFixed(2)} ms of CPU a page, ${Math.round(1000 / msPerPage)} pages/s`);
}
