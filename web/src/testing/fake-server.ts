import { vi } from 'vitest';
import type { PageData } from '../contract/types.ts';

interface Reply {
  status?: number;
  json?: unknown;
  text?: string;
  type?: string;
  retryAfter?: string;
  /** The connection is cut: before the answer, or in the middle of its body. */
  cut?: 'before' | 'within';
}

export const APP_DATA = '/page-data/app-data.json';
export const BUILD = 'the-build';
export const SHARED = 'the-frame';

/** A site for `fetch`. Unknown addresses are 404. */
export class FakeServer {
  isOffline = false;
  readonly asked: string[] = [];
  private readonly replies = new Map<string, Reply[]>();
  private readonly held = new Map<string, Promise<void>>();

  constructor() {
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => this.answer(url, init));
    // As the platform's, on the test's clock.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('The request took too long.', 'TimeoutError')), ms);
      return controller.signal;
    });
    this.reply(APP_DATA, { json: { buildHash: BUILD } });
  }

  /** Sets the replies in order; the last one stays. `HEAD /path` for that method. */
  reply(request: string, ...replies: Reply[]): void {
    this.replies.set(key(request), replies);
  }

  /** A page of the site: its data, and its document. */
  page(path: string, own: Partial<PageData> = {}): PageData {
    const data = pageData(path, own);
    this.reply(dataOf(path), { json: data });
    this.reply(`HEAD ${path}`, {});
    return data;
  }

  /** Answers wait until the returned function is called. */
  hold(request: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held.set(key(request), promise);
    return () => {
      this.held.delete(key(request));
      resolve();
    };
  }

  count(request: string): number {
    return this.asked.filter((each) => each === key(request)).length;
  }

  private async answer(url: string, init: RequestInit = {}): Promise<Response> {
    const request = key(`${init.method ?? 'GET'} ${url}`);
    this.asked.push(request);
    const aborted = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
    await Promise.race([this.held.get(request), aborted]);
    const replies = this.replies.get(request) ?? [{ status: 404, text: 'Not found' }];
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? {};
    if (this.isOffline || reply.cut === 'before') throw new TypeError('Failed to fetch');
    return respond(reply);
  }
}

function respond({ status = 200, json, text, type, retryAfter, cut }: Reply): Response {
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  const headers = new Headers({ 'content-type': type ?? (json === undefined ? 'text/html' : 'application/json') });
  if (retryAfter) headers.set('retry-after', retryAfter);
  if (cut !== 'within') return new Response(body, { status, headers });
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body.slice(0, body.length / 2)));
      controller.error(new TypeError('network error'));
    },
  });
  return new Response(stream, { status, headers });
}

function key(request: string): string {
  return request.includes(' ') ? request : `GET ${request}`;
}

/** Address of a page's data. */
export function dataOf(path: string): string {
  return `/page-data/${path.slice(1) || 'index'}/page-data.json`;
}

/** A page of the build and the frame in the document. */
export function pageData(path: string, own: Partial<PageData> = {}): PageData {
  const title = `Page ${path}`;
  return {
    path,
    template: 'service',
    header: 'solid',
    head: {
      title,
      description: `What ${path} is about`,
      canonical: `http://localhost${path}`,
      alternates: [],
      robots: null,
      ogLocale: 'en_US',
    },
    sharing: { picture: null, locales: [] },
    html: `<h1>Heading of ${path}</h1><section id="principles">Principles</section>`,
    switcher: '',
    islands: [],
    preload: [],
    shared: SHARED,
    build: BUILD,
    ...own,
  };
}
