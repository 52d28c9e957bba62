/** Requests static JSON of the site, and repeats the request if that can help. */
import { REQUEST_LIMIT_MS } from '../constants.ts';
import { type Answer, pauseBefore } from '../domain/page-loading.ts';

const inFlight = new Map<string, Promise<Answer>>();

/** One try, shared by all callers while it runs. Never rejects. If the request fails, the status is 0. */
export function requestJson(url: string): Promise<Answer> {
  let answer = inFlight.get(url);
  if (!answer) {
    answer = ask(url).finally(() => inFlight.delete(url));
    inFlight.set(url, answer);
  }
  return answer;
}

async function ask(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) });
    const seconds = Number.parseFloat(response.headers.get('retry-after') ?? '');
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    if (!isJson) void response.body?.cancel(); // an unread body would block its connection
    return {
      status: response.status,
      body: isJson ? await readJson(response) : undefined,
      retryAfterMs: Number.isNaN(seconds) ? null : seconds * 1000,
    };
  } catch {
    return { status: 0, body: undefined, retryAfterMs: null };
  }
}

/** Tries again after pauses, until `isFinal` is true for an answer. Returns the last answer. */
export async function requestUntil(url: string, isFinal: (answer: Answer) => boolean): Promise<Answer> {
  for (let failures = 1; ; failures += 1) {
    const answer = await requestJson(url);
    const pause = isFinal(answer) ? null : pauseBefore(failures, answer.retryAfterMs, Math.random());
    if (pause === null) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
