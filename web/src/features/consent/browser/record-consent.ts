/** Sends a choice to the server, which keeps it as proof (backend: consent_records). Whether that works changes nothing here. */
import type { ConsentChoice } from '../../../contract/types.ts';

export type ConsentMethod = ConsentChoice['method'];

const PATH = '/__consent';

/** Resolves once the server has answered. Its answer sets the cookie that came with the request again (`keep-consent.ts`). */
export async function recordConsent(choice: ConsentChoice): Promise<void> {
  try {
    const headers = { 'content-type': 'application/json' };
    // Sent even if the visitor leaves at once.
    await fetch(PATH, { method: 'POST', body: JSON.stringify(choice), headers, keepalive: true });
  } catch {
    // Then there is no record of this choice; the choice is valid all the same.
  }
}
