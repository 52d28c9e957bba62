/** Does the work of a challenge: tries numbers until one fits. */
import { solveChallenge } from 'altcha-lib';
import { deriveKey as derivePbkdf2 } from 'altcha-lib/algorithms/web/pbkdf2';
import { deriveKey as deriveSha } from 'altcha-lib/algorithms/web/sha';
import type { Challenge } from 'altcha-lib/types';

const TIME_LIMIT_MS = 60_000;

self.onmessage = async ({ data: challenge }: MessageEvent<Challenge>) => {
  const deriveKey = challenge.parameters.algorithm.startsWith('PBKDF2/') ? derivePbkdf2 : deriveSha;
  self.postMessage(await solveChallenge({ challenge, deriveKey, timeout: TIME_LIMIT_MS }));
};

// A rejected promise is not reported as an error of the worker.
self.onunhandledrejection = ({ reason }) => {
  throw reason;
};
