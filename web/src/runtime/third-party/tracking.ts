/**
 * Keeps where a visitor came from, for the form that one day is sent (spec §3, §7 Other). Before there is leave it is known to
 * this document alone; `lib/keep-consent.ts` removes what leave is withdrawn for.
 */
import { chooseWrites } from '../../domain/tracking.ts';
import { isGranted, watchConsent } from '../../lib/consent.ts';
import { readLocal, readSession, writeLocal, writeSession } from '../../lib/storage.ts';

export function startTracking(): void {
  const { href } = location; // as it is now: pages that come in place of this one are no arrival
  const keep = () => {
    const kept = { firstVisitUrl: readLocal('firstVisitUrl'), sessionEntryUrl: readSession('sessionEntryUrl') };
    for (const { area, key, value } of chooseWrites(href, kept, isGranted))
      (area === 'local' ? writeLocal : writeSession)(key, value);
  };
  keep();
  watchConsent(keep);
}
