/** Events for the tag manager, on `window.dataLayer`: events that count visitors are sent only with consent to statistics. */
import { isGranted } from './consent.ts';

export interface TagEvent {
  event: string;
  [name: string]: string | number;
}

/** Events are not stored for later: events before the visitor's consent are dropped. */
export function pushTagEvent(event: TagEvent): void {
  if (!isGranted('analytics_storage')) return;
  window.dataLayer ??= [];
  window.dataLayer.push(event);
}
