/** Like `fetch`, with progress of the upload, which `fetch` does not report. */

export interface UploadOptions {
  headers: readonly [name: string, value: string][];
  body: FormData;
  /** Of the body, from 0 to 1. */
  onProgress: (part: number) => void;
  signal?: AbortSignal | undefined;
}

/** Sends a POST. Rejects like `fetch`: with TypeError if there was no reply, with the signal's reason if it was aborted. */
export function upload(path: string, { headers, body, onProgress, signal }: UploadOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', path);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => {
      const { status, responseText } = request;
      const hasNoBody = status === 204 || status === 205 || status === 304;
      resolve(new Response(hasNoBody ? null : responseText, { status }));
    };
    request.onerror = () => reject(new TypeError(`${path} could not be reached.`));
    request.onabort = () => reject(signal?.reason ?? new DOMException('Given up.', 'AbortError'));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) reject(signal.reason);
    else request.send(body);
  });
}
