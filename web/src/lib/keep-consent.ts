/** Stores the visitor's consent in the browser, sets it in the document, and informs tags and watchers. */
import { CONSENT_MAX_AGE_MONTHS } from '../constants.ts';
import type { VisitorRules } from '../contract/types.ts';
import {
  addMonths,
  buildSignals,
  type Consent,
  type ConsentInput,
  type ConsentState,
  isStillSeen,
  PURPOSES,
  type Purpose,
  readConsentValue,
  type SavedConsent,
  writeConsentValue,
} from '../domain/consent.ts';
import type { Visitor } from '../domain/visitor.ts';
import { announceChange, readConsentCookie } from './consent.ts';
import { readLocal, removeLocal, removeSession, writeLocal } from './storage.ts';

declare global {
  interface Navigator {
    /** https://w3c.github.io/gpc/ */
    globalPrivacyControl?: boolean;
  }
  interface Window {
    dataLayer?: unknown[];
  }
}

const COOKIE = 'consent_status';
const SEEN = 'consentSeen';

/** Values that we store in the browser for each purpose, by place. They are removed when consent is withdrawn. */
const KEPT_FOR: Record<Purpose, { local: string[]; session: string[] }> = {
  ad_storage: { local: ['adClickId'], session: [] },
  analytics_storage: { local: ['firstVisitUrl'], session: ['sessionEntryUrl'] },
};

/** The state that the decision depends on. */
export function readConsentInput(rules: VisitorRules, theme: Visitor['consentTheme']): ConsentInput {
  const saved = readConsentCookie();
  return {
    profile: rules.consentProfile,
    policyVersion: rules.consentPolicyVersion,
    theme,
    saved: saved === undefined ? null : readConsentValue(saved),
    seen: isStillSeen(readLocal(SEEN), new Date(), CONSENT_MAX_AGE_MONTHS),
    gpc: navigator.globalPrivacyControl === true,
  };
}

export function keepConsent(consent: SavedConsent): void {
  const until = addMonths(new Date(), CONSENT_MAX_AGE_MONTHS).toUTCString();
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and is too late for the head
  document.cookie = `${COOKIE}=${writeConsentValue(consent)}; Path=/; Expires=${until}; SameSite=Lax${secure}`;
}

/** Stores that the small notice was acknowledged. */
export function keepSeen(): void {
  writeLocal(SEEN, new Date().toISOString());
}

/** Writes visible notice and consent into the document, for styles, scripts and tests. */
export function applyConsent({ shows, granted }: ConsentState): void {
  const { dataset } = document.documentElement;
  dataset['consent'] = shows;
  dataset['granted'] = PURPOSES.filter((purpose) => granted[purpose]).join(' ');
}

/** Removes stored values of a purpose whose consent was withdrawn; then calls all watchers. */
export function announceConsent(granted: Consent): void {
  signalConsent('update', granted);
  for (const purpose of PURPOSES.filter((name) => !granted[name])) {
    KEPT_FOR[purpose].local.forEach(removeLocal);
    KEPT_FOR[purpose].session.forEach(removeSession);
  }
  announceChange();
}

/** Consent Mode v2: `default` before any tag runs, `update` after each choice. */
export function signalConsent(command: 'default' | 'update', consent: Consent): void {
  window.dataLayer ??= [];
  window.dataLayer.push(argumentsOf('consent', command, buildSignals(consent)));
}

/** Tag managers take commands only as an `arguments` object, not as an array. */
function argumentsOf(..._: unknown[]): IArguments {
  // biome-ignore lint/complexity/noArguments: the very thing that is wanted
  return arguments;
}
