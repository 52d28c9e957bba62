/** Sends a form to the content API. A module of its own, because only forms need it. */
import type { LeadReceipt } from '../contract/types.ts';
import { type CallOptions, FALLBACK_SITE, headersOf, readReply } from './api-call.ts';
import { encodeMultipart, type MultipartFields } from './multipart.ts';
import { upload } from './upload.ts';

/**
 * A repeat with the same `idempotencyKey` gets the first one's answer and is not stored twice. `onProgress` is called
 * with the part of the form that is uploaded, from 0 to 1. With `isLeaving`, a form below 64 kB arrives even after its
 * page is gone.
 */
export async function submitForm(
  form: MultipartFields,
  {
    idempotencyKey,
    onProgress = () => {},
    isLeaving = false,
    signal,
  }: CallOptions & {
    idempotencyKey?: string | undefined;
    onProgress?: (part: number) => void;
    isLeaving?: boolean;
  } = {},
): Promise<LeadReceipt> {
  // No content type of ours: the browser's own says where one part ends.
  const headers = headersOf({
    'Accept-Language': FALLBACK_SITE,
    Integration: 'site',
    'Idempotency-Key': idempotencyKey,
  });
  const path = '/api/integration/form-data';
  const body = encodeMultipart(form);
  return readReply(
    isLeaving
      ? await fetch(path, { method: 'POST', headers, body, keepalive: true })
      : await upload(path, { headers, body, onProgress, signal }),
  );
}
