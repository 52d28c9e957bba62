/**
 * `npm run bench:render [seconds]`: pages a second that one worker renders, on one core, from the contract's example page.
 *
 * Every page differs (its blocks have other ids and titles), so that no cache answers; then the same pages come again, as after
 * a change of the menu.
 */
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

async function run(worker: Worker, hash: string, pages: PageContent[], brotli: number): Promise<number> {
  const start = performance.now();
  let next = 0;
  let bytes = 0;
  const lane = async () => {
    for (let content = pages[next++]; content; content = pages[next++]) {
      bytes += htmlOf(await worker.renderPage(content, hash, brotli)).length;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  const elapsed = performance.now() - start;
  return bytes > 0 ? elapsed / pages.length : Number.NaN;
}

function print(what: string, msPerPage: number): void {
  console.log(`${what.padEnd(44)} ${msPerPage.toFixed(3)} ms a page, ${Math.round(1000 / msPerPage)} pages/s`);
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
