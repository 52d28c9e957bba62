/**
 * `npm run gallery [folder]`: writes every example of every block, and the example page, as static files.
 *
 *     index.html       the example page; rtl.html is the same from right to left, with its own texts
 *     blocks.html      every block in every example, each below axe's problems; also blocks-rtl.html
 *     article.html     an article without a hero; event.html has one; each also with -rtl
 *
 * `--unchecked` leaves axe out. `--serve` serves them at 127.0.0.1, port 4173 or `--port`.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SharedData } from '../src/contract/types.ts';
import { blockExamples, examplePages, sharedExample } from './examples.ts';
import { addNotes, checkExamples, countViolations } from './gallery-notes.ts';
import { htmlOf, Worker } from './worker.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
    unchecked: { type: 'boolean', default: false },
  },
});
const folder = positionals[0] ?? join(tmpdir(), 'portolan-gallery');

const worker = new Worker();
const shared = sharedExample();
const mirrored: SharedData = {
  ...shared,
  site: { ...shared.site, key: 'ae', lang: 'ar-AE', dir: 'rtl', dateLocale: 'ar-AE-u-nu-latn-ca-gregory' },
};
worker.addShared('ltr', shared);
worker.addShared('rtl', mirrored);

const examples = blockExamples();
if (!values.unchecked) console.log(`asking axe about ${examples.length} examples in both directions …`);
const results = await checkExamples(values.unchecked ? [] : examples, worker, { ltr: shared, rtl: mirrored });

const { home, blocks, article, event } = examplePages();

mkdirSync(folder, { recursive: true });
cpSync(fileURLToPath(new URL('../dist/client/assets', import.meta.url)), join(folder, 'assets'), { recursive: true });
for (const [name, content, hash] of [
  ['index.html', home, 'ltr'],
  ['rtl.html', home, 'rtl'],
  ['blocks.html', blocks, 'ltr'],
  ['blocks-rtl.html', blocks, 'rtl'],
  ['article.html', article, 'ltr'],
  ['article-rtl.html', article, 'rtl'],
  ['event.html', event, 'ltr'],
  ['event-rtl.html', event, 'rtl'],
] as const) {
  const html = htmlOf(await worker.renderHtml(content, hash));
  writeFileSync(join(folder, name), content === blocks && results.size > 0 ? addNotes(html, results, hash) : html);
}
await worker.end();
console.log(`wrote index, blocks, article and event in both directions to ${folder}`);
if (results.size > 0) {
  console.log(`accessibility violations: ${countViolations(results.values())}; blocks.html names them`);
}

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Examples name pictures that no upload ever made: a plain chart's sheet stands for each. */
const ANY_PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900"><path fill="#14233d" d="M0 0h1600v900H0z"/><path fill="none" stroke="#5a7092" stroke-width="4" d="M40 40h1520v820H40zM40 40l1520 820M1560 40 40 860"/></svg>';

if (values.serve) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (path.startsWith('/media/')) {
      response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(ANY_PICTURE);
      return;
    }
    const name = path === '/' ? 'index.html' : path;
    try {
      const bytes = await readFile(join(folder, name));
      response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(Number(values.port), '127.0.0.1', () => console.log(`http://127.0.0.1:${values.port}/blocks.html`));
}
