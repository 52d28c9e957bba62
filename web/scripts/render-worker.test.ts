import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageContent, PageData } from '../src/contract/types.ts';
import { pageExample, sharedExample } from './examples.ts';
import { frameMessage, htmlOf, type Rendered, WORKER, Worker } from './worker.ts';

const page = pageExample();
const shared = sharedExample();

let worker: Worker;
let folder: string;
beforeAll(() => {
  if (!existsSync(WORKER)) throw new Error('There is no web build to test: run `npm run build` first.');
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  worker = new Worker();
  worker.addShared('abc', shared);
});
afterEach(async () => {
  await worker.end();
  rmSync(folder, { recursive: true });
});

function recordOf({ header }: Rendered) {
  if (!header.record) throw new Error(header.error?.message ?? 'no record');
  return header.record;
}

function pathOf(digest: string): string {
  return join(folder, digest.slice(0, 2), digest);
}

function stored(digest: string): Buffer {
  return readFileSync(pathOf(digest));
}

describe('the render worker', () => {
  it('stores a page and answers with its record', async () => {
    const { html, data, seen } = recordOf(await worker.renderPage(page, 'abc', folder));
    const text = stored(html[0]).toString();
    expect(text).toMatch(/^<!doctype html><html lang="en" dir="ltr" data-site="en"[^>]*>.*<\/html>$/s);
    const pageData: PageData = JSON.parse(stored(data[0]).toString());
    expect(pageData).toMatchObject({ path: '/', template: 'home', head: page.head, shared: 'abc' });
    expect(text).toContain(pageData.html);
    expect([html[1], data[1]]).toEqual([stored(html[0]).length, stored(data[0]).length]);
    expect(seen).toMatchObject({ lang: 'en', dir: 'ltr', headings: 1, alternates: page.head.alternates.length });
    expect((await worker.inspectPage(html[0], folder)).header.seen).toEqual(seen);
    expect(existsSync(`${pathOf(html[0])}.br`)).toBe(false);
  });

  it('answers with the HTML itself where nothing is to be stored', async () => {
    const rendered = await worker.renderPage(page, 'abc');
    const { html } = recordOf(await worker.renderPage(page, 'abc', folder));
    expect(htmlOf(rendered)).toBe(stored(html[0]).toString());
  });

  it('stores the compressed copy where one is asked for', async () => {
    const { html } = recordOf(await worker.renderPage(page, 'abc', folder, 5));
    expect(brotliDecompressSync(readFileSync(`${pathOf(html[0])}.br`)).equals(stored(html[0]))).toBe(true);
  });

  it('says it as the disk does where a page cannot be stored', async () => {
    const { header } = await worker.renderPage(page, 'abc', join(folder, 'no', 'such', 'folder'));
    expect(header).toMatchObject({ ok: false, error: { block: null } });
    expect(header.error?.errno).toBeGreaterThan(0);
  });

  it('answers in the order of the questions, several of them at a time', async () => {
    const titles = Array.from({ length: 20 }, (_, number) => `Title ${number}`);
    const replies = await Promise.all(
      titles.map((title) => worker.renderPage({ ...page, head: { ...page.head, title } }, 'abc')),
    );
    expect(replies.map((reply) => /<title>([^<]*)</.exec(htmlOf(reply))?.[1])).toEqual(titles);
    const ids = replies.map(({ header }) => header.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it.each([
    ['ltr', 'en', 'Brightmoor: custom software for ports, clinics and banks'],
    ['ltr', 'ru', 'Казахстан: разработка мобильных приложений'],
    ['rtl', 'ar', 'برمجيات مخصصة للموانئ والعيادات والبنوك'],
    ['ltr', 'de', 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikationslieferant'],
    ['ltr', 'en', ''],
  ] as const)('draws a sharing picture %s in %s', async (dir, lang, title) => {
    const picture = { title, label: 'Services', company: 'Brightmoor', lang, dir, motif: 7 };
    const first = await worker.drawPicture(picture);
    expect(first.header.error).toBeUndefined();
    const bytes = first.parts.get('picture') ?? Buffer.alloc(0);
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(bytes.length).toBeLessThan(60_000);
    await worker.drawPicture({ ...picture, dir: dir === 'ltr' ? 'rtl' : 'ltr', motif: 8 });
    const again = await worker.drawPicture(picture);
    expect(again.parts.get('picture')?.equals(bytes), 'whatever was drawn before').toBe(true);
  });

  it('reads messages however they are cut', async () => {
    const reply = worker.renderPage(page, 'abc');
    const again = worker.expectReply();
    const bytes = frameMessage({ id: 77, op: 'page', shared: 'abc', page, brotli: 0 });
    for (const [start, end] of [
      [0, 2],
      [2, 5],
      [5, 900],
      [900, bytes.length],
    ]) {
      worker.write(bytes.subarray(start, end));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await again).header.id).toBe(77);
    expect(htmlOf(await again)).toBe(htmlOf(await reply));
  });

  it('names the block that fails, and goes on', async () => {
    const broken: PageContent = JSON.parse(
      JSON.stringify({ ...page, blocks: [...page.blocks, { type: 'faq', id: 'f', tone: 'paper', anchor: null }] }),
    );
    const { header } = await worker.renderPage(broken, 'abc');
    expect(header).toMatchObject({ ok: false, error: { block: { index: page.blocks.length, type: 'faq' } } });
    expect(header.error?.stack).toContain('Faq');
    expect((await worker.renderPage(page, 'abc')).header.ok).toBe(true);
  });

  it('refuses a page whose shared data it was not sent', async () => {
    const { header } = await worker.renderPage(page, 'unknown');
    expect(header).toMatchObject({ ok: false, error: { block: null } });
    expect(header.error?.message).toContain('unknown');
  });

  it('finishes what it was given and leaves when its input ends', async () => {
    const reply = worker.renderPage(page, 'abc');
    const code = worker.end();
    expect((await reply).header.ok).toBe(true);
    expect(await code).toBe(0);
  });

  it('renders the same bytes in every process', async () => {
    const other = new Worker();
    other.addShared('abc', shared);
    const [one, two] = await Promise.all([
      worker.renderPage(page, 'abc', folder),
      other.renderPage(page, 'abc', folder),
    ]);
    await other.end();
    expect(recordOf(one)).toEqual(recordOf(two));
  });
});
