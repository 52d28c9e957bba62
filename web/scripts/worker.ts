/** The built render worker, spoken to as the publisher does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PageContent, SharedData } from '../src/contract/types.ts';
import type { SharingPicture } from '../src/document/sharing-picture.ts';
import type { Inspected, InspectedPart } from '../src/publishing/inspect-html.ts';
import type { PageRecord } from '../src/publishing/record-pages.ts';

export const WORKER = fileURLToPath(new URL('../dist/server/render-worker.js', import.meta.url));

interface WorkerError {
  message: string;
  stack: string;
  block: { index: number; type: string } | null;
  errno: number | null;
}

export interface Reply {
  id: number;
  ok: boolean;
  /** Of pages that were stored. */
  batch?: { frames: InspectedPart[]; pages: (PageRecord | { error: WorkerError })[] };
  seen?: Inspected;
  frame?: InspectedPart;
  error?: WorkerError;
}

export interface Answer {
  header: Reply;
  /** HTML or a picture. */
  bytes: Buffer;
}

export class Worker {
  readonly process: ChildProcess;
  private received = Buffer.alloc(0);
  private readonly waiting: ((answer: Answer) => void)[] = [];
  private id = 0;

  constructor(script = WORKER) {
    this.process = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.stdout?.on('data', (chunk: Buffer) => this.receive(chunk));
  }

  addShared(hash: string, data: SharedData): void {
    this.write(frameMessage({ id: ++this.id, op: 'shared', hash, data }));
  }

  renderHtml(page: PageContent, shared: string): Promise<Answer> {
    const reply = this.expectReply();
    this.write(frameMessage({ id: ++this.id, op: 'html', shared, page }));
    return reply;
  }

  /** `store`: folder of the content store that the pages go to; `pack`: a name, where they go into one. */
  storePages(
    pages: PageContent[],
    shared: string,
    store: string,
    { brotli = 0, pack = null }: { brotli?: number; pack?: string | null } = {},
  ): Promise<Answer> {
    const reply = this.expectReply();
    this.write(frameMessage({ id: ++this.id, op: 'pages', shared, pages, brotli, store, pack }));
    return reply;
  }

  inspectPage(...html: [file: string, offset: number, size: number]): Promise<Answer> {
    const reply = this.expectReply();
    this.write(frameMessage({ id: ++this.id, op: 'inspect', html }));
    return reply;
  }

  drawPicture(picture: SharingPicture): Promise<Answer> {
    const reply = this.expectReply();
    this.write(frameMessage({ id: ++this.id, op: 'picture', picture }));
    return reply;
  }

  /** The answer to the next question that has none yet. */
  expectReply(): Promise<Answer> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  write(bytes: Buffer): void {
    this.process.stdin?.write(bytes);
  }

  /** Ends its input; resolves with the exit code. */
  async end(): Promise<number | null> {
    if (this.process.exitCode === null) {
      const exit = once(this.process, 'exit');
      this.process.stdin?.end();
      await exit;
    }
    return this.process.exitCode;
  }

  private receive(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    while (this.received.length >= 4) {
      const end = 4 + this.received.readUInt32BE(0);
      if (this.received.length < end) return;
      const payload = this.received.subarray(4, end);
      this.received = this.received.subarray(end);
      this.waiting.shift()?.(readReply(payload));
    }
  }
}

export function frameMessage(message: object): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

function readReply(payload: Buffer): Answer {
  const end = 4 + payload.readUInt32BE(0);
  return { header: JSON.parse(payload.toString('utf8', 4, end)), bytes: payload.subarray(end) };
}

/** The HTML of a page that has to come out well. */
export function htmlOf({ header, bytes }: Answer): string {
  if (!header.ok) throw new Error(`${header.error?.message}\n${header.error?.stack}`);
  return String(bytes);
}

/** The records of pages that have to come out well. */
export function recordsOf({ header }: Answer): PageRecord[] {
  if (!header.batch) throw new Error(`${header.error?.message}\n${header.error?.stack}`);
  return header.batch.pages.map((page) => {
    if ('error' in page) throw new Error(page.error.message);
    return page;
  });
}
