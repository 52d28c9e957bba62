import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageContent, PageData } from '../src/contract/types.ts';
import { pageExample, sharedExample } from './examples.ts';
import { type Answer, frameMessage, htmlOf, recordsOf, WORKER, Worker } from './worker.ts';

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

function recordOf(answer: Answer) {
  const [record] = recordsOf(answer);
  if (!record) throw new Error('no record');
  return record;
}

function pathOf(digest: string): string {
  return join(folder, digest.slice(0, 2), digest);
}

function stored(digest: string): Buffer {
  return readFileSync(pathOf(digest));
}

describe('the render worker', () => {
  it('stores pages and answers with their records', async () => {
    const other = { ...page, path: '/other', blocks: page.blocks.slice(0, 1) };
    const answer = await worker.storePages([page, other], 'abc', folder);
    const [first, second] = recordsOf(answer);
    if (!first || !second) throw new Error('two were asked for');
    const { html, data, br, seen } = first;
    const text = stored(html[0]).toString();
    expect(text).toMatch(/^<!doctype html><html lang="en" dir="ltr" data-site="en"[^>]*>.*<\/html>$/s);
    const pageData: PageData = JSON.parse(stored(data[0]).toString());
    expect(pageData).toMatchObject({ path: '/', template: 'home', head: page.head, shared: 'abc' });
    expect(text).toContain(pageData.html);
    expect([html[1], data[1]]).toEqual([stored(html[0]).length, stored(data[0]).length]);
    expect([html[2], data[2], br]).toEqual([-1, -1, null]);
    expect(seen).toMatchObject({ lang: 'en', dir: 'ltr', headings: 1, alternates: page.head.alternates.length });
    expect(existsSync(`${pathOf(html[0])}.br`)).toBe(false);
    expect(JSON.parse(stored(second.data[0]).toString())).toMatchObject({ path: '/other' });
  });

  it('sees the same in a stored page as when it was rendered', async () => {
    const answer = await worker.storePages([page], 'abc', folder);
    const { html, seen, frame } = recordOf(answer);
    const part = answer.header.batch?.frames[frame];
    const again = (await worker.inspectPage(pathOf(html[0]), 0, html[1])).header;
    expect(part?.values.length).toBeGreaterThan(20);
    expect(again.seen).toMatchObject({ lang: seen.lang, dir: seen.dir, alternates: seen.alternates });
    expect(again.seen?.headings).toBe(seen.headings);
    // The language switcher is in the frame, but belongs to the page.
    expect(again.frame?.values).toEqual(expect.arrayContaining(part?.values ?? []));
    expect(seen.values).toEqual(expect.arrayContaining(again.seen?.values ?? []));
    const whole = { values: [...seen.values, ...(part?.values ?? [])], ids: [...seen.ids, ...(part?.ids ?? [])] };
    expect(new Set([...(again.seen?.values ?? []), ...(again.frame?.values ?? [])])).toEqual(new Set(whole.values));
    expect(new Set([...(again.seen?.ids ?? []), ...(again.frame?.ids ?? [])])).toEqual(new Set(whole.ids));
  });

  it('puts pages into a pack, batch after batch', async () => {
    mkdirSync(join(folder, 'packs'));
    const path = join(folder, 'packs', 'p1');
    const alone = recordOf(await worker.storePages([page], 'abc', folder));
    for (const number of [1, 2]) {
      const pages = [page, { ...page, path: `/${number}` }];
      const records = recordsOf(await worker.storePages(pages, 'abc', folder, { brotli: 5, pack: 'p1' }));
      const pack = readFileSync(path);
      for (const { html, data, br } of records) {
        const bytes = pack.subarray(html[2], html[2] + html[1]);
        if (!br) throw new Error('a copy was asked for');
        expect(brotliDecompressSync(pack.subarray(br[1], br[1] + br[0])).equals(bytes)).toBe(true);
        expect(JSON.parse(String(pack.subarray(data[2], data[2] + data[1])))).toMatchObject({ shared: 'abc' });
        expect((await worker.inspectPage(path, html[2], html[1])).header.seen?.headings).toBe(1);
      }
      const [first] = records;
      expect([first?.html[0], first?.data[0]]).toEqual([alone.html[0], alone.data[0]]);
      expect(pack.subarray(first?.html[2], (first?.html[2] ?? 0) + alone.html[1])).toEqual(stored(alone.html[0]));
    }
  });

  it('answers with the HTML itself where nothing is to be stored, each block with its id', async () => {
    const rendered = await worker.renderHtml(page, 'abc');
    const { html } = recordOf(await worker.storePages([page], 'abc', folder));
    const published = stored(html[0]).toString();
    const ids = [...htmlOf(rendered).matchAll(/ data-block="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(20);
    expect(page.blocks.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(htmlOf(rendered).replaceAll(/ data-block="[^"]*"/g, '')).toBe(published);
  });

  it('stores the compressed copy where one is asked for', async () => {
    const { html } = recordOf(await worker.storePages([page], 'abc', folder, { brotli: 5 }));
    expect(brotliDecompressSync(readFileSync(`${pathOf(html[0])}.br`)).equals(stored(html[0]))).toBe(true);
  });

  it('says it as the disk does where a page cannot be stored', async () => {
    const { header } = await worker.storePages([page], 'abc', join(folder, 'no', 'such', 'folder'));
    expect(header).toMatchObject({ ok: false, error: { block: null } });
    expect(header.error?.errno).toBeGreaterThan(0);
  });

  it('answers in the order of the questions, several of them at a time', async () => {
    const titles = Array.from({ length: 20 }, (_, number) => `Title ${number}`);
    const replies = await Promise.all(
      titles.map((title) => worker.renderHtml({ ...page, head: { ...page.head, title } }, 'abc')),
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
    const { bytes } = first;
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(bytes.length).toBeLessThan(60_000);
    await worker.drawPicture({ ...picture, dir: dir === 'ltr' ? 'rtl' : 'ltr', motif: 8 });
    const again = await worker.drawPicture(picture);
    expect(again.bytes.equals(bytes), 'whatever was drawn before').toBe(true);
  });

  it('reads messages however they are cut', async () => {
    const reply = worker.renderHtml(page, 'abc');
    const again = worker.expectReply();
    const bytes = frameMessage({ id: 77, op: 'html', shared: 'abc', page });
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
    const { header } = await worker.renderHtml(broken, 'abc');
    expect(header).toMatchObject({ ok: false, error: { block: { index: page.blocks.length, type: 'faq' } } });
    expect(header.error?.stack).toContain('Faq');
    const { batch } = (await worker.storePages([broken, page], 'abc', folder)).header;
    expect(batch?.pages[0]).toMatchObject({ error: { block: { index: page.blocks.length, type: 'faq' } } });
    expect(batch?.pages[1]).toMatchObject({ seen: { headings: 1 } });
  });

  it('refuses a page whose shared data it was not sent', async () => {
    const { header } = await worker.renderHtml(page, 'unknown');
    expect(header).toMatchObject({ ok: false, error: { block: null } });
    expect(header.error?.message).toContain('unknown');
  });

  it('finishes what it was given and leaves when its input ends', async () => {
    const reply = worker.renderHtml(page, 'abc');
    const code = worker.end();
    expect((await reply).header.ok).toBe(true);
    expect(await code).toBe(0);
  });

  it('renders the same bytes in every process', async () => {
    const other = new Worker();
    other.addShared('abc', shared);
    const [one, two] = await Promise.all([
      worker.storePages([page], 'abc', folder),
      other.storePages([page], 'abc', folder),
    ]);
    await other.end();
    expect(recordOf(one)).toEqual(recordOf(two));
  });
});
