/**
 * Stores the visitor's origin for a later form (spec §3, §7 Other). Without consent, only this document has it;
 * `lib/keep-consent.ts` removes it when consent is withdrawn.
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
