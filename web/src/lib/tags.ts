/** Events for the tag manager, on `window.dataLayer`: what is counted waits for leave to count. */
import { isGranted } from './consent.ts';

export interface TagEvent {
  event: string;
  [name: string]: string | number;
}

/** Nothing is kept for later: what happened before a visitor agreed is not told. */
export function pushTagEvent(event: TagEvent): void {
  if (!isGranted('analytics_storage')) return;
  window.dataLayer ??= [];
  window.dataLayer.push(event);
}
