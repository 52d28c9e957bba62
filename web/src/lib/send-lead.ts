/** Sends a form under its key, whole or as it stands when it is left. */
import { ApiError, submitForm } from './api-client.ts';
import type { MultipartFields } from './multipart.ts';

const MOST_VERSIONS = 9;

/**
 * Where an earlier try has arrived, though its answer did not, and the visitor has changed the form since, the server takes no
 * other one under the key. What is changed is then sent as another version, under a key that follows from the first.
 */
export async function sendLead(
  fields: MultipartFields,
  key: string,
  onProgress: (part: number) => void = () => {},
): Promise<void> {
  for (let version = 1; ; version += 1) {
    try {
      await submitForm(fields, { idempotencyKey: version === 1 ? key : `${key}.${version}`, onProgress });
      return;
    } catch (error) {
      const isReused = error instanceof ApiError && error.code === 'idempotency-key-reused';
      if (!isReused || version === MOST_VERSIONS) throw error;
    }
  }
}

/**
 * Sends what is in a form that is being left. Sent under the form's key, it gives way on the server to the whole form; nobody
 * is there any more who could be told what became of it.
 */
export function sendBegun(fields: MultipartFields, key: string): void {
  submitForm({ ...fields, begun: true, attachments: null }, { idempotencyKey: key, isLeaving: true }).catch(
    (error: unknown) => console.warn('The form that was left could not be sent; its draft is still here.', error),
  );
}
