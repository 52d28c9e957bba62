/** Sends a form under its key. */
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
