/** Where a visitor came from and by which advertisement (spec §3, §7 Other; decisions: Storage keys). Pure. */
import { AD_CLICK_ID_MAX_CHARS, TRACKED_URL_MAX_CHARS } from '../constants.ts';
import type { Purpose } from './consent.ts';

/** In order of priority: the first one found counts. */
const AD_CLICK_TYPES = ['gclid', 'wbraid', 'gbraid'] as const;

export interface AdClick {
  type: (typeof AD_CLICK_TYPES)[number];
  value: string;
}

export interface Write {
  /** How long it is kept: for good, or for the session. */
  area: 'local' | 'session';
  key: 'firstVisitUrl' | 'sessionEntryUrl' | 'adClickId';
  value: string;
}

/** Null if the query has none. One that is too long is ignored, because a cut one would be useless. */
export function findAdClick(search: string): AdClick | null {
  const query = new URLSearchParams(search);
  for (const type of AD_CLICK_TYPES) {
    const value = query.get(type)?.trim();
    if (value && value.length <= AD_CLICK_ID_MAX_CHARS) return { type, value };
  }
  return null;
}

/**
 * Returns the values to store from the address at which a document was opened.
 *
 * | value           | for                 | kept    | once there                         |
 * |-----------------|---------------------|---------|------------------------------------|
 * | firstVisitUrl   | analytics_storage   | local   | stays                              |
 * | sessionEntryUrl | analytics_storage   | session | stays                              |
 * | adClickId       | ad_storage          | local   | is replaced by a later click's     |
 */
export function chooseWrites(
  href: string,
  kept: Partial<Record<Write['key'], string | null>>,
  isGranted: (purpose: Purpose) => boolean,
): Write[] {
  const writes: Write[] = [];
  const url = href.slice(0, TRACKED_URL_MAX_CHARS);
  if (isGranted('analytics_storage')) {
    if (!kept.firstVisitUrl) writes.push({ area: 'local', key: 'firstVisitUrl', value: url });
    if (!kept.sessionEntryUrl) writes.push({ area: 'session', key: 'sessionEntryUrl', value: url });
  }
  const adClick = isGranted('ad_storage') ? findAdClick(new URL(href).search) : null;
  if (adClick) writes.push({ area: 'local', key: 'adClickId', value: JSON.stringify(adClick) });
  return writes;
}
