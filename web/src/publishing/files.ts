/** Storage of a render worker: single files (`content-store.ts`), or many in one file (`pack.ts`). */
import { hash } from 'node:crypto';

/** The name of the bytes, how many there are, and where in the pack they begin; `LOOSE` for a file of its own. */
export type StoredFile = [digest: string, size: number, offset: number];
export type StoredCopy = [size: number, offset: number];

export const LOOSE = -1;
const DIGEST_LENGTH = 32;

export interface Files {
  /** The bytes have to stay as they are until `flush`. */
  put(bytes: Buffer): StoredFile;
  /** Stores a Brotli copy of a stored file. */
  putCopy(digest: string, bytes: Buffer): StoredCopy;
  /** Makes all stored files readable for other processes. */
  flush(): void;
}

export function digestOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, DIGEST_LENGTH);
}
