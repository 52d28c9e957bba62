/** Solves the site's own proof of work in a worker. */
import type { Challenge, Payload, Solution } from 'altcha-lib/types';
import { CAPTCHA_LIMIT_MS } from '../../../constants.ts';
import { trusted } from '../../../lib/trusted.ts';
import WORKER from './altcha-worker.ts?worker&url';

const CHALLENGE_PATH = '/__captcha';

export async function solveAltcha(): Promise<string> {
  const reply = await fetch(CHALLENGE_PATH, { signal: AbortSignal.timeout(CAPTCHA_LIMIT_MS) });
  if (!reply.ok) throw new Error(`${CHALLENGE_PATH} answered ${reply.status}.`);
  const challenge: Challenge = await reply.json();
  const payload: Payload = { challenge, solution: await solve(challenge) };
  return btoa(JSON.stringify(payload));
}

function solve(challenge: Challenge): Promise<Solution> {
  const worker = new Worker(trusted.createScriptURL(WORKER), { type: 'module' });
  return new Promise<Solution>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | null>) =>
      data ? resolve(data) : reject(new Error('The challenge was not solved in time.'));
    worker.onerror = ({ message }) => reject(new Error(`The worker for the challenge failed: ${message}`));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
