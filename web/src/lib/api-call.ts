/** Calls of the content API: headers, replies, addresses (spec §7). The calls themselves: `api-client.ts`. */
import type { Problem } from '../contract/types.ts';

const VERSION = 'v5';

/** The specification's own default for `Accept-Language`. */
export const FALLBACK_SITE = 'ae';

export interface CallOptions {
  /** Aborts a call whose result is not needed. */
  signal?: AbortSignal;
}

/** The API answered with another status or body than expected. */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(`The content API answered ${status}: ${body}`);
  }

  /** The code that programs use, e.g. `unknown-news`; empty if something else than the API answered. */
  get code(): string {
    try {
      const problem: Partial<Problem> | null = JSON.parse(this.body);
      return problem?.code ?? '';
    } catch {
      return '';
    }
  }
}

export type Values = Record<string, string | number | undefined>;

export const JSON_CONTENT = { 'Content-Type': 'application/json' };

export function read<Reply>(path: string, options?: CallOptions, headers?: Values): Promise<Reply> {
  return call(path, { ...options }, { ...JSON_CONTENT, ...headers });
}

export async function call<Reply>(path: string, request: RequestInit, headers: Values): Promise<Reply> {
  return readReply(await fetch(`/api/${path}`, { ...request, headers: headersOf(headers) }));
}

export function headersOf(headers: Values): [string, string][] {
  return given({
    'Api-Version': VERSION,
    'Accept-Language': document.documentElement.dataset['site'] ?? FALLBACK_SITE,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...headers,
  });
}

export async function readReply<Reply>(response: Response): Promise<Reply> {
  if (!response.ok) throw new ApiError(response.status, await response.text());
  return response.json();
}

export function withQuery(path: string, query: Values): string {
  return `${path}?${new URLSearchParams(given(query))}`.replace(/\?$/, '');
}

/** Undefined values are not sent. */
function given(values: Values): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

/** A path with encoded values, so that a value cannot add segments. */
export function place(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}
