/**
 * The visitor's consent (spec §4 Consent banner; decisions: Consent). Pure. The script in the head, the banner and all code
 * that needs consent use it.
 */
import type { VisitorRules } from '../contract/types.ts';
import type { Visitor } from './visitor.ts';

/** The purposes that need consent, by their names in Google's Consent Mode. */
export const PURPOSES = ['ad_storage', 'analytics_storage'] as const;
export type Purpose = (typeof PURPOSES)[number];
export type Consent = Record<Purpose, boolean>;

export const ALL: Consent = { ad_storage: true, analytics_storage: true };
export const NOTHING: Consent = { ad_storage: false, analytics_storage: false };

/** A choice as it is stored. `strict` also stores the policy version it was made under. */
export interface SavedConsent extends Consent {
  policy_version?: string;
}

export interface ConsentInput {
  profile: VisitorRules['consentProfile'];
  theme: Visitor['consentTheme'];
  /** Of the cookies policy in force. */
  policyVersion: string;
  saved: SavedConsent | null;
  /** Whether the small notice was acknowledged recently enough. */
  seen: boolean;
  /** Whether the browser sends the Global Privacy Control signal. */
  gpc: boolean;
}

export interface ConsentState {
  /** The banner that asks, the notice that informs, or neither. */
  shows: 'gdpr' | 'small' | 'nothing';
  /** The choice that is saved without the visitor's action. */
  saves: Consent | null;
  granted: Consent;
}

/**
 * | profile | theme | saved        | shows              | saves | granted |
 * |---------|-------|--------------|--------------------|-------|---------|
 * | spec    | gdpr  | no           | gdpr               |       | all     |
 * | spec    | small | no           | small until seen   | all   | all     |
 * | spec    | gdpr  | yes          |                    |       | saved   |
 * | spec    | small | yes          | small until seen   |       | saved   |
 * | strict  | any   | no, outdated | theme              |       | nothing |
 * | strict  | any   | yes          |                    |       | saved   |
 *
 * In `strict` the browser's privacy signal removes advertising from the granted purposes, also from a saved choice.
 */
export function decideConsent({ profile, theme, policyVersion, saved, seen, gpc }: ConsentInput): ConsentState {
  if (profile === 'strict') {
    const isValid = saved?.policy_version === policyVersion;
    const granted = isValid && saved ? pick(saved) : NOTHING;
    return { shows: isValid ? 'nothing' : theme, saves: null, granted: gpc ? withoutAds(granted) : granted };
  }
  if (theme === 'gdpr') return { shows: saved ? 'nothing' : theme, saves: null, granted: pick(saved ?? ALL) };
  return { shows: seen ? 'nothing' : theme, saves: saved ? null : ALL, granted: pick(saved ?? ALL) };
}

function pick({ ad_storage, analytics_storage }: SavedConsent): Consent {
  return { ad_storage, analytics_storage };
}

function withoutAds(consent: Consent): Consent {
  return { ...consent, ad_storage: false };
}

/** Returns the choice to store. If the browser's signal objects to advertising, accepting everything excludes it. */
export function chooseConsent(choice: Consent, { profile, policyVersion, gpc }: ConsentInput): SavedConsent {
  if (profile !== 'strict') return pick(choice);
  return { ...pick(gpc ? withoutAds(choice) : choice), policy_version: policyVersion };
}

export type Signals = Record<Purpose | 'ad_user_data' | 'ad_personalization', 'granted' | 'denied'>;

/** As Consent Mode v2 has it. */
export function buildSignals({ ad_storage, analytics_storage }: Consent): Signals {
  const ads = ad_storage ? 'granted' : 'denied';
  return {
    ad_storage: ads,
    analytics_storage: analytics_storage ? 'granted' : 'denied',
    ad_user_data: ads,
    ad_personalization: ads,
  };
}

/** The first command for tags: the profile's default. A saved choice follows as an update. */
export function startingConsent(profile: ConsentInput['profile']): Consent {
  return profile === 'strict' ? NOTHING : ALL;
}

/** The value of the cookie: percent-encoded JSON. */
export function writeConsentValue(consent: SavedConsent): string {
  return encodeURIComponent(JSON.stringify(consent));
}

/** Null if the cookie was not written by us. */
export function readConsentValue(value: string): SavedConsent | null {
  try {
    const saved = JSON.parse(decodeURIComponent(value));
    return PURPOSES.every((purpose) => typeof saved[purpose] === 'boolean') ? saved : null;
  } catch {
    return null;
  }
}

/** When a choice made at `from` has to be made again: this many calendar months later. */
export function addMonths(from: Date, months: number): Date {
  const until = new Date(from);
  until.setUTCMonth(until.getUTCMonth() + months);
  return until;
}

/** Whether the notice acknowledged at `seen` (ISO time) still counts. */
export function isStillSeen(seen: string | null, now: Date, months: number): boolean {
  return seen !== null && addMonths(new Date(seen), months) > now;
}

/** Returns the text before the first line break, and the text after it. */
export function cutAtLineBreak(text: string): [first: string, rest: string] {
  const at = text.indexOf('\n');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
