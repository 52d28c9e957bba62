/** React as tests of islands have it where they run with Preact. */
import { act as actOnce } from 'preact/test-utils';
import preact from '../runtime/islands/preact.ts';

export * from '../runtime/islands/preact.ts';
// biome-ignore lint/style/noDefaultExport: as React has
export default preact;

/** An effect, the reply it waits for, and the resulting render. */
const ROUNDS = 4;

/** Like React's `act`: also waits for started work. Preact's own stops at the first effects. */
export async function act(work: () => unknown): Promise<void> {
  await actOnce(async () => {
    await work();
  });
  for (let round = 0; round < ROUNDS; round++) await actOnce(() => new Promise<void>((done) => setImmediate(done)));
}
