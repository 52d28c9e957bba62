/**
 * `npm run bench:render [seconds]`: what a page costs one render worker, from the contract's example page. CPU time of the
 * worker's process, so that other work on the machine does not count; pages a second are what one core would do.
 *
 * Every page differs (its blocks have other ids and titles), so that no cache answers; then the same pages come again, as after
 * a change of the menu.
 */
import { readFileSync } from 'node:fs';
import type { PageContent, SharedData } from '../src/contract/index.ts';
import { pageExample, sharedExample } from './examples.ts';
import { htmlOf, Worker } from './worker.ts';

const PAGES = 1000;
const IN_FLIGHT = 8;

const seconds = Number(process.argv[2] ?? 3);
const example = pageExample();
const shared = sharedExample();

function page(number: number): PageContent {
  const blocks = example.blocks.map((block) => ({ ...block, id: `${block.id}-${number}` }));
  return { ...example, path: `/page-${number}`, key: `page-${number}`, header: 'solid', motif: number, blocks };
}

/** CPU time a process has used, in milliseconds; Linux counts it in hundredths of a second. */
function cpuTime(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds of CPU a page. */
async function run(worker: Worker, hash: string, pages: PageContent[], brotli: number): Promise<number> {
  const start = cpuTime(worker.process.pid);
  const queue = pages.values();
  const lane = async () => {
    for (const content of queue) htmlOf(await worker.renderPage(content, hash, brotli));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return (cpuTime(worker.process.pid) - start) / pages.length;
}

function print(what: string, msPerPage: number): void {
  console.log(`${what.padEnd(44)} ${msPerPage.toFixed(2)} ms of CPU a page, ${Math.round(1000 / msPerPage)} pages/s`);
}

const worker = new Worker();
worker.addShared('first', shared);
const changed: SharedData = { ...shared, year: shared.year + 1 };
worker.addShared('second', changed);

print(
  'cold: first 1,000 pages after start',
  await run(
    worker,
    'first',
    Array.from({ length: PAGES }, (_, n) => page(n)),
    0,
  ),
);
let number = PAGES;
const end = performance.now() + seconds * 1000;
const rounds: number[] = [];
while (performance.now() < end) {
  rounds.push(
    await run(
      worker,
      'first',
      Array.from({ length: PAGES }, () => page(number++)),
      0,
    ),
  );
}
print('warm: new pages', rounds.sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? Number.NaN);
const last = Array.from({ length: PAGES }, (_, n) => page(number - PAGES + n));
print('the same pages, menu changed (blocks known)', await run(worker, 'second', last, 0));
print(
  'new pages, HTML with Brotli 5',
  await run(
    worker,
    'first',
    Array.from({ length: PAGES }, () => page(number++)),
    5,
  ),
);
await worker.end();
