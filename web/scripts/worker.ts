/** The built render worker, spoken to as the publisher does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PageContent, SharedData } from '../src/contract/types.ts';
import type { SharingPicture } from '../src/document/sharing-picture.ts';
import type { Inspected } from '../src/publishing/inspect-html.ts';

export const WORKER = fileURLToPath(new URL('../dist/server/render-worker.js', import.meta.url));

export interface Reply {
  id: number;
  ok: boolean;
  /** Of a page that was stored: digest and size of its files, and what the gate has to know of it. */
  record?: { html: [string, number]; data: [string, number]; seen: Inspected };
  seen?: Inspected;
  parts?: [name: string, length: number][];
  error?: { message: string; stack: string; block: { index: number; type: string } | null; errno: number | null };
}

export interface Rendered {
  header: Reply;
  parts: Map<string, Buffer>;
}

export class Worker {
  readonly process: ChildProcess;
  private received = Buffer.alloc(0);
  private readonly waiting: ((rendered: Rendered) => void)[] = [];
  private id = 0;

  constructor() {
    this.process = spawn(process.execPath, [WORKER], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.stdout?.on('data', (chunk: Buffer) => this.receive(chunk));
  }

  addShared(hash: string, data: SharedData): void {
    this.write(frameMessage({ id: ++this.id, op: 'shared', hash, data }));
  }

  /** `store`: folder of the content store that the page goes to; without one, its HTML is answered. */
  renderPage(page: PageContent, shared: string, store: string | null = null, brotli = 0): Promise<Rendered> {
    const reply = this.expectReply();
    this.write(frameMessage({ id: ++this.id, op: 'page', shared, page, brotli, store }));
    return reply;
  }

  inspectPage(html: string, store: string): Promise<Rendered> {
    const reply = this.expectReply();
    this.write(frameMessage({ id: ++this.id, op: 'inspect', html, store }));
    return reply;
  }

  drawPicture(picture: SharingPicture): Promise<Rendered> {
    const reply = this.expectReply();
    this.write(frameMessage({ id: ++this.id, op: 'picture', picture }));
    return reply;
  }

  /** The answer to the next question that has none yet. */
  expectReply(): Promise<Rendered> {
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

function readReply(payload: Buffer): Rendered {
  let at = 4 + payload.readUInt32BE(0);
  const header: Reply = JSON.parse(payload.toString('utf8', 4, at));
  const parts = new Map<string, Buffer>();
  for (const [name, length] of header.parts ?? []) {
    parts.set(name, payload.subarray(at, at + length));
    at += length;
  }
  return { header, parts };
}

/** The HTML of a page that has to come out well. */
export function htmlOf({ header, parts }: Rendered): string {
  if (!header.ok) throw new Error(`${header.error?.message}\n${header.error?.stack}`);
  return String(parts.get('html'));
}
