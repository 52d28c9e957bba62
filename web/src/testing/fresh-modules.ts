/** Test files of one worker follow each other in one process: each has modules and a clock of its own. */
import { afterAll, vi } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';

/** React itself stays, because Node loads packages once a process. React tests for a document only while it loads. */
const REACT_IS_LOADED = Symbol.for('react is loaded');
if (!(REACT_IS_LOADED in globalThis)) {
  const { teardown } = await builtinEnvironments.jsdom.setup(globalThis, {});
  await import('react-dom/client');
  await teardown(globalThis);
  Object.assign(globalThis, { [REACT_IS_LOADED]: true });
  // Its own limit of a second is too short on a slow machine. This one is a little shorter than a test's.
  const { waitFor } = vi;
  const timeout = 15_000 * Number(process.env['PORTOLAN_SLOWER'] || 1);
  vi.waitFor = (callback, options = { timeout }) => waitFor(callback, options);
}

vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
});
