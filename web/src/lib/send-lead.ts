/** Sends a form under its key, whole or as it stands when it is left. */
import { ApiError } from './api-call.ts';
import type { MultipartFields } from './multipart.ts';
import { submitForm } from './submit-form.ts';

const MOST_VERSIONS = 9;

/**
 * If an earlier try has arrived without its answer coming back, and the visitor has changed the form since, the server
 * refuses another form with the same key. The changed form is then sent under a new key that is made from the first.
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
 * Sends the contents of a form that its visitor is leaving. It has the form's key, so the server replaces it if the
 * whole form comes later. The result is ignored, because the visitor is gone.
 */
export function sendPartial(fields: MultipartFields, key: string): void {
  submitForm({ ...fields, begun: true, attachments: null }, { idempotencyKey: key, isLeaving: true }).catch(
    (error: unknown) => console.warn('The form that was left could not be sent; its draft is still here.', error),
  );
}
