/** React as tests of islands have it where they run with Preact. */
import { act as actOnce } from 'preact/test-utils';
import preact from '../runtime/islands/preact.ts';

export * from '../runtime/islands/preact.ts';
// biome-ignore lint/style/noDefaultExport: as React has
export default preact;

/** An effect, the reply it waits for, and what that draws. */
const ROUNDS = 4;

/** As React's: also what the work has begun is drawn before it returns. Preact's own stops at the first effects. */
export async function act(work: () => unknown): Promise<void> {
  await actOnce(async () => {
    await work();
  });
  for (let round = 0; round < ROUNDS; round++) await actOnce(() => new Promise<void>((done) => setImmediate(done)));
}
