import type { AwaitedPart } from '../parts/parts.ts';

/** Adds `portolan.explain()` to the browser's console; its code is fetched when it is called. */
export function offerExplain(parts: readonly AwaitedPart[]): void {
  const explain = async () => (await import('./explain.ts')).explain(parts);
  Object.assign(window, { portolan: { explain } });
}
