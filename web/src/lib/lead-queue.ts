/** Leads that wait in IndexedDB until the visitor is online again. Each is sent under the key it was made with: once. */
import { KEPT_LEADS_RETRY_MS, LEAD_DATABASE } from '../constants.ts';
import { ApiError } from './api-call.ts';
import type { MultipartFields } from './multipart.ts';
import { sendLead } from './send-lead.ts';
import { writeSession } from './storage.ts';

export interface KeptLead {
  /** Its `Idempotency-Key`. */
  key: string;
  fields: MultipartFields;
  /** The place to restore the visitor's input if the server refuses it: a key in the session, and the draft. */
  draft: { key: string; value: string };
}

/** The result of a kept lead. */
export interface LeadSent {
  key: string;
  isTaken: boolean;
}

/** Too many requests, or the same lead is being sent from another tab: it will be accepted later. */
const COMES_LATER = [409, 429];
const STORE = 'leads';
const SENT = 'lead-sent';

/** Calls `listener` for every kept lead that leaves the queue. Returns how to stop that. */
export function watchKeptLeads(listener: (lead: LeadSent) => void): () => void {
  const tell = (event: Event) => listener((event as CustomEvent<LeadSent>).detail);
  document.addEventListener(SENT, tell);
  return () => document.removeEventListener(SENT, tell);
}

/** The lead is on the visitor's disk when this resolves. Rejects if the browser cannot store it. */
export async function keepLead(lead: KeptLead): Promise<void> {
  await withStore('readwrite', (store) => store.put(lead));
}

let sending: Promise<void> | undefined;

/** Sends the leads one after the other. Those that cannot be sent now stay and are tried again. */
export function sendKeptLeads(): Promise<void> {
  sending ??= sendAll().finally(() => {
    sending = undefined;
  });
  return sending;
}

async function sendAll(): Promise<void> {
  const leads = await withStore<KeptLead[]>('readonly', (store) => store.getAll());
  let left = leads.length;
  for (const lead of leads) {
    const isTaken = await trySend(lead);
    if (isTaken === undefined) continue;
    await withStore('readwrite', (store) => store.delete(lead.key));
    left -= 1;
    document.dispatchEvent(new CustomEvent<LeadSent>(SENT, { detail: { key: lead.key, isTaken } }));
  }
  if (left === 0) indexedDB.deleteDatabase(LEAD_DATABASE);
  else if (navigator.onLine) setTimeout(sendKeptLeads, KEPT_LEADS_RETRY_MS);
}

/** Whether the server has accepted it; undefined if that is not known yet. */
async function trySend({ key, fields, draft }: KeptLead): Promise<boolean | undefined> {
  try {
    await sendLead(fields, key);
    return true;
  } catch (error) {
    console.error('A form that was kept while offline was not taken.', error);
    if (!(error instanceof ApiError) || error.status >= 500 || COMES_LATER.includes(error.status)) return undefined;
    writeSession(draft.key, draft.value);
    return false;
  }
}

function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(LEAD_DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'key' });
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = use(transaction.objectStore(STORE));
      const end = (settle: () => void) => () => {
        database.close();
        settle();
      };
      transaction.oncomplete = end(() => resolve(request.result));
      transaction.onabort = end(() => reject(transaction.error));
    };
  });
}
