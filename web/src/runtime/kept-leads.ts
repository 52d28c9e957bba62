/**
 * Sends leads that were kept while the visitor was offline, also on another page or another day. Its code is fetched only if there are
 * kept leads.
 */
import { LEAD_DATABASE } from '../constants.ts';

/** To be called after load. */
export function startKeptLeads(): void {
  const send = async () => {
    if (!navigator.onLine || !(await isKept())) return;
    try {
      await (await import('../lib/lead-queue.ts')).sendKeptLeads();
    } catch (error) {
      console.error('What was kept while offline is still kept: it could not be sent.', error);
    }
  };
  addEventListener('online', send);
  send();
}

/** Looks without opening: that would make an empty database for every visitor. */
async function isKept(): Promise<boolean> {
  try {
    const databases = await indexedDB.databases();
    return databases.some(({ name }) => name === LEAD_DATABASE);
  } catch {
    return false;
  }
}
