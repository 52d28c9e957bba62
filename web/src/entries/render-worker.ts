/**
 * The render worker: pages in through standard input, HTML out through standard output, until the input ends.
 *
 * A message is four bytes of length (big-endian) and a payload. A reply's payload is again a length, a JSON header
 * of that length, and the parts the header names, one after the other. Standard error is the log.
 *
 * For a publish, a page's files go to the content store, and the reply is its record: their names, and what the gate has to
 * know of the HTML. A record follows from the page, the shared data and the web build alone.
 */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import type { PageContent, SharedData } from '../contract/types.ts';
import type { Assets } from '../document/assets.ts';
import { BlockError, PageRenderer } from '../document/page.tsx';
import { type SharingPicture, SharingPictures } from '../document/sharing-picture.ts';
import { ContentStore, type StoredFile } from '../publishing/content-store.ts';
import { type Inspected, inspectHtml } from '../publishing/inspect-html.ts';
import '../tokens/index.css';
import '../layouts/layouts.css';

interface SharedRequest {
  id: number;
  op: 'shared';
  hash: string;
  data: SharedData;
}

interface PageRequest {
  id: number;
  op: 'page';
  shared: string;
  page: PageContent;
  /** Quality of the compressed copy; 0 for none. */
  brotli: number;
  /** Folder of the content store; null: the HTML itself is wanted. */
  store: string | null;
}

/** Of a page that has been stored already: inspect it again. */
interface InspectRequest {
  id: number;
  op: 'inspect';
  store: string;
  html: string;
}

interface PageRecord {
  html: StoredFile;
  data: StoredFile;
  seen: Inspected;
}

interface PictureRequest {
  id: number;
  op: 'picture';
  picture: SharingPicture;
}

const LENGTH_BYTES = 4;

/**
 * What fits into a window of 2^16 is compressed with one: Brotli then takes another way to look for repetitions, which at
 * quality 5 takes a third less time for pages of 27 to 51 kB, and leaves them 0.2 % smaller.
 */
const SMALL_WINDOW_BYTES = 65_000;

/** A UTF-16 unit takes at most three bytes. */
const UTF8_BYTES_AT_MOST = 3;

let scratch = Buffer.allocUnsafe(1 << 20);

const assets: Assets = JSON.parse(readFileSync(new URL('./assets.json', import.meta.url), 'utf8'));
const renderer = new PageRenderer(assets);
const stores = new Map<string, ContentStore>();
const pictures = new SharingPictures(new URL('./fonts/', import.meta.url));

let pending: Buffer = Buffer.alloc(0);
// The publisher is gone, so there is nobody to report it to.
process.stdout.on('error', () => process.exit(1));

process.stdin.on('data', (chunk: Buffer) => {
  pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
  let at = 0;
  while (pending.length - at >= LENGTH_BYTES) {
    const end = at + LENGTH_BYTES + pending.readUInt32BE(at);
    if (pending.length < end) break;
    answer(JSON.parse(pending.toString('utf8', at + LENGTH_BYTES, end)));
    at = end;
  }
  pending = pending.subarray(at);
});

function answer(request: SharedRequest | PageRequest | InspectRequest | PictureRequest): void {
  if (request.op === 'shared') {
    renderer.addShared(request.hash, request.data);
    return;
  }
  const { id } = request;
  try {
    if (request.op === 'inspect') {
      reply({ id, ok: true, seen: inspectHtml([storeIn(request.store).read(request.html)]) }, []);
      return;
    }
    if (request.op === 'page' && request.store) {
      reply({ id, ok: true, record: recordPage(request, storeIn(request.store)) }, []);
      return;
    }
    const parts = request.op === 'page' ? renderPage(request) : [replyPart('picture', pictures.draw(request.picture))];
    const lengths = parts.map(([name, bytes]) => [name, bytes.length]);
    reply(
      { id, ok: true, parts: lengths },
      parts.map(([, bytes]) => bytes),
    );
  } catch (error) {
    reply({ id, ok: false, error: describe(error) }, []);
  }
}

type ReplyPart = [name: string, bytes: Buffer];

function replyPart(name: string, bytes: Buffer): ReplyPart {
  return [name, bytes];
}

function renderPage({ shared, page }: PageRequest): ReplyPart[] {
  return [replyPart('html', encode(renderer.render(page, shared).html))];
}

function recordPage({ shared, page, brotli }: PageRequest, store: ContentStore): PageRecord {
  const { html, pageData } = renderer.render(page, shared);
  const bytes = encode(html);
  const stored = store.put(bytes);
  if (brotli > 0) store.putCopy(stored[0], compress(bytes, brotli));
  return { html: stored, data: store.put(encode(pageData)), seen: inspectHtml(html) };
}

function storeIn(folder: string): ContentStore {
  let store = stores.get(folder);
  if (!store) {
    store = new ContentStore(folder);
    stores.set(folder, store);
  }
  return store;
}

/** UTF-8 of the pieces. Each is written as it is: joined, they would be encoded twice over, and slower. */
function encode(pieces: string[]): Buffer {
  const longest = pieces.reduce((sum, piece) => sum + piece.length * UTF8_BYTES_AT_MOST, 0);
  if (longest > scratch.length) scratch = Buffer.allocUnsafe(longest);
  let end = 0;
  for (const piece of pieces) end += scratch.write(piece, end);
  return Buffer.from(scratch.subarray(0, end));
}

function compress(bytes: Buffer, quality: number): Buffer {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      ...(bytes.length <= SMALL_WINDOW_BYTES ? { [constants.BROTLI_PARAM_LGWIN]: 16 } : {}),
    },
  });
}

function reply(header: object, parts: Buffer[]): void {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(2 * LENGTH_BYTES);
  const payload = parts.reduce((sum, part) => sum + part.length, LENGTH_BYTES + json.length);
  lengths.writeUInt32BE(payload, 0);
  lengths.writeUInt32BE(json.length, LENGTH_BYTES);
  // Corked, the parts leave in one write without being copied into one buffer first.
  process.stdout.cork();
  for (const part of [lengths, json, ...parts]) process.stdout.write(part);
  process.stdout.uncork();
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error), stack: '', block: null, errno: null };
  const block = error instanceof BlockError ? { index: error.index, type: error.type } : null;
  const cause = error.cause instanceof Error ? error.cause : error;
  const errno = 'errno' in error && typeof error.errno === 'number' ? -error.errno : null;
  return { message: error.message, stack: cause.stack ?? '', block, errno };
}
