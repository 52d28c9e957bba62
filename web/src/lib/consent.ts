/**
 * The visitor's consent. Call `isGranted('ad_storage')` before anything is stored or loaded for that purpose;
 * `watchConsent()` reports every change, also a withdrawal.
 *
 * Every page loads this module; the code that changes consent is in `keep-consent.ts`.
 */
import type { Purpose } from '../domain/consent.ts';

const CHANGED = 'consent-change';

/** Whether the purpose is allowed now: the visitor has agreed, or, in the profile `spec`, has not objected. */
export function isGranted(purpose: Purpose): boolean {
  return document.documentElement.dataset['granted']?.split(' ').includes(purpose) === true;
}

/** Calls `listener` after each change of consent. Returns a function that stops it. */
export function watchConsent(listener: () => void): () => void {
  document.addEventListener(CHANGED, listener);
  return () => document.removeEventListener(CHANGED, listener);
}

/** Calls all listeners. */
export function announceChange(): void {
  document.dispatchEvent(new Event(CHANGED));
}

/** The cookie's value as it stands there. */
export function readConsentCookie(): string | undefined {
  return document.cookie.match(/(?:^|; )consent_status=([^;]*)/)?.[1];
}
