/**
 * What the visitor has agreed to, for whoever needs leave: `isGranted('ad_storage')` is the question to ask before anything is
 * stored or loaded for that purpose, `watchConsent()` tells of every change, a withdrawal among them.
 *
 * Every page loads this; what changes anything is in `keep-consent.ts`.
 */
import type { Purpose } from '../domain/consent.ts';

const CHANGED = 'consent-change';

/** Whether the visitor, or in the profile `spec` nobody's objection, allows that purpose right now. */
export function isGranted(purpose: Purpose): boolean {
  return document.documentElement.dataset['granted']?.split(' ').includes(purpose) === true;
}

/** Calls `listener` after each change of what is granted. Returns how to stop that. */
export function watchConsent(listener: () => void): () => void {
  document.addEventListener(CHANGED, listener);
  return () => document.removeEventListener(CHANGED, listener);
}

/** Tells whoever watches. */
export function announceChange(): void {
  document.dispatchEvent(new Event(CHANGED));
}

/** The cookie's value as it stands there. */
export function readConsentCookie(): string | undefined {
  return document.cookie.match(/(?:^|; )consent_status=([^;]*)/)?.[1];
}
