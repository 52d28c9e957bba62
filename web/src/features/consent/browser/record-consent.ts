/** Sends a choice to the server, which keeps it as proof (backend: consent_records). Whether that works changes nothing here. */
import type { ConsentChoice } from '../../../contract/types.ts';

export type ConsentMethod = ConsentChoice['method'];

const PATH = '/__consent';

export function recordConsent(choice: ConsentChoice): void {
  try {
    const body = new Blob([JSON.stringify(choice)], { type: 'application/json' });
    // Sent even if the visitor leaves at once; a browser whose queue is full is asked again in the ordinary way.
    if (!navigator.sendBeacon?.(PATH, body))
      void fetch(PATH, { method: 'POST', body, keepalive: true }).catch(() => {});
  } catch {
    // Then there is no record of this choice; the choice is valid all the same.
  }
}
