import type { Purpose } from '../../domain/consent.ts';
import { isGranted, watchConsent } from '../../lib/consent.ts';

/** Runs once, as soon as the visitor allows the purpose: at once where they do already. */
export function whenGranted(purpose: Purpose, run: () => void): void {
  if (isGranted(purpose)) {
    run();
    return;
  }
  const stop = watchConsent(() => {
    if (!isGranted(purpose)) return;
    stop();
    run();
  });
}
