import { CHUNK_RETRY_DELAY_MS } from '../constants.ts';

/** A chunk that does not come is asked for once more, after a pause. */
export async function retryOnce<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, CHUNK_RETRY_DELAY_MS));
    return load();
  }
}
