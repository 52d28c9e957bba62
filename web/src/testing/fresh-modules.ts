/** Test files of one worker follow each other in one process: each has modules and a clock of its own. */
import { afterAll, vi } from 'vitest';

vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
});
