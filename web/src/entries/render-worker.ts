/**
 * The render worker: batches of pages in through standard input, records out through standard output, until the input ends.
 *
 * A reply's payload is a length, a JSON header of that length, and the parts the header names, one after the other. Standard
 * error is the log.
 */
import { readFileSync } from 'node:fs';
import type { PageContent, SharedData } from '../contract/types.ts';
import type { Assets } from '../document/assets.ts';
import { piecesOf } from '../document/document.tsx';
import { BlockError, PageRenderer } from '../document/page.tsx';
import { type SharingPicture, SharingPictures } from '../document/sharing-picture.ts';
import { ContentStore } from '../publishing/content-store.ts';
import type { Files } from '../publishing/files.ts';
import { type InspectedAgain, inspectDocument, inspectFrame, inspectHtml } from '../publishing/inspect-html.ts';
import { LENGTH_BYTES, MessageReader, writeMessage } from '../publishing/messages.ts';
import { Pack } from '../publishing/pack.ts';
import { type BatchRecord, recordPages, recordSplicedPages } from '../publishing/record-pages.ts';
import { type StoredBytes, StoredFiles } from '../publishing/stored-files.ts';
import '../tokens/index.css';
import '../layouts/layouts.css';

interface SharedRequest {
  id: number;
  op: 'shared';
  hash: string;
  data: SharedData;
}

/** Pages to store. */
interface PagesRequest extends StoreRequest {
  op: 'pages';
  pages: PageContent[];
}

/** Pages that are to get another frame. */
interface SpliceRequest extends StoreRequest {
  op: 'splice';
  pages: { html: StoredBytes; data: StoredBytes }[];
}

interface StoreRequest {
  id: number;
  shared: string;
  /** Quality of the compressed copy; 0 for none. */
  brotli: number;
  /** Folder of the content store. */
  store: string;
  /** The pack they go to; null: each file stands alone. */
  pack: string | null;
}

/** Renders a page without storing it. Returns its HTML, and the data for the publish checks. */
interface HtmlRequest {
  id: number;
  op: 'html';
  shared: string;
  page: PageContent;
}

/** A page that has been stored already: inspect it again. */
interface InspectRequest {
  id: number;
  op: 'inspect';
  /** Where its HTML lies. */
  html: StoredBytes;
}

interface PictureRequest {
  id: number;
  op: 'picture';
  picture: SharingPicture;
}

type Request = SharedRequest | PagesRequest | SpliceRequest | HtmlRequest | InspectRequest | PictureRequest;

const INPUT = 0;
const OUTPUT = 1;

const assets: Assets = JSON.parse(readFileSync(new URL('./assets.json', import.meta.url), 'utf8'));
const renderer = new PageRenderer(assets);
const pictures = new SharingPictures(new URL('./fonts/', import.meta.url), assets);
const stores = new Map<string, ContentStore>();
const stored = new StoredFiles();
/** The one written last: a publish has one for each worker. */
let pack: { path: string; files: Pack } | null = null;

const input = new MessageReader(INPUT);
for (let message = input.next(); message; message = input.next()) answer(JSON.parse(message.toString('utf8')));

function answer(request: Request): void {
  const { id } = request;
  try {
    switch (request.op) {
      case 'shared':
        renderer.addShared(request.hash, request.data);
        return;
      case 'pages':
        reply({ id, ok: true, batch: describeFailures(record(request)) });
        return;
      case 'splice':
        reply({ id, ok: true, batch: describeFailures(splice(request)) });
        return;
      case 'inspect':
        reply({ id, ok: true, ...inspectHtml(readText(request.html)) });
        return;
      case 'html': {
        const { document } = renderer.renderDraft(request.page, request.shared);
        const seen = { seen: inspectDocument(document), frame: inspectFrame(document.frame) };
        reply({ id, ok: true, ...seen }, Buffer.from(piecesOf(document).join('')));
        return;
      }
      case 'picture':
        reply({ id, ok: true }, pictures.draw(request.picture));
    }
  } catch (error) {
    reply({ id, ok: false, error: describe(error) });
  }
}

function record({ pages, shared, store, pack, brotli }: PagesRequest): BatchRecord {
  return recordPages(pages, (page) => renderer.render(page, shared), filesOf(store, pack), brotli);
}

function splice({ pages, shared, store, pack }: SpliceRequest): BatchRecord<InspectedAgain> {
  try {
    return recordSplicedPages(
      pages,
      (page) => {
        const [html, data] = stored.read(page.html, page.data);
        return renderer.splice(html, data, shared);
      },
      filesOf(store, pack),
    );
  } finally {
    stored.close();
  }
}

function describeFailures<Seen>(batch: BatchRecord<Seen>): object {
  return { ...batch, pages: batch.pages.map((page) => ('error' in page ? { error: describe(page.error) } : page)) };
}

function filesOf(store: string, name: string | null): Files {
  if (name !== null) return packAt(`${store}/packs/${name}`);
  const known = stores.get(store) ?? new ContentStore(store);
  stores.set(store, known);
  return known;
}

function packAt(path: string): Pack {
  if (pack?.path !== path) {
    pack?.files.close();
    pack = null; // should the next line fail
    pack = { path, files: new Pack(path) };
  }
  return pack.files;
}

function readText(place: StoredBytes): string {
  try {
    const [bytes] = stored.read(place);
    return bytes.toString('utf8');
  } finally {
    stored.close();
  }
}

function reply(header: object, part?: Buffer): void {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  try {
    writeMessage(OUTPUT, part ? [length, json, part] : [length, json]);
  } catch {
    process.exit(1); // the publisher is gone, so a report has no receiver
  }
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error), stack: '', block: null, errno: null };
  const block = error instanceof BlockError ? { index: error.index, type: error.type } : null;
  const cause = error.cause instanceof Error ? error.cause : error;
  const errno = 'errno' in error && typeof error.errno === 'number' ? -error.errno : null;
  return { message: error.message, stack: cause.stack ?? '', block, errno };
}
