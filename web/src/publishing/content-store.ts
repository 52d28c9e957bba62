/** The render worker's access to the content store: `portolan/builds/store.py` describes its files. */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { digestOf, type Files, LOOSE, type StoredCopy, type StoredFile } from './files.ts';

/** An export hard-links these files, and an edit there must not change every build that has them. */
const WHOLE_MODE = 0o444;
const QUICK_COPY_MODE = 0o644;
/** Files in use are touched that often, so that `prune` keeps them. */
const TOUCH_AFTER_MS = 600_000;

let parts = 0;

export class ContentStore implements Files {
  constructor(private readonly folder: string) {}

  /** Stores the bytes, unless they are there already and whole. */
  put(bytes: Buffer): StoredFile {
    const digest = digestOf(bytes);
    const path = this.path(digest);
    if (!isThere(path, bytes.length)) writeWhole(path, bytes, WHOLE_MODE);
    return [digest, bytes.length, LOOSE];
  }

  /** Stores or replaces the compressed copy that is made in passing; a better one may follow. */
  putCopy(digest: string, bytes: Buffer): StoredCopy {
    writeWhole(`${this.path(digest)}.br`, bytes, QUICK_COPY_MODE);
    return [bytes.length, LOOSE];
  }

  flush(): void {}

  private path(digest: string): string {
    return `${this.folder}/${digest.slice(0, 2)}/${digest}`;
  }
}

function isThere(path: string, size: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.size !== size) return false; // else damaged by a power cut: it is written again
  const now = Date.now();
  if (now - found.mtimeMs > TOUCH_AFTER_MS) utimesSync(path, now / 1000, now / 1000);
  return true;
}

/** Writes a temporary file and moves it, so that readers never see a part of it. */
function writeWhole(path: string, bytes: Buffer, mode: number): void {
  parts += 1;
  const part = `${path}.${process.pid}-${parts}~`;
  try {
    const file = open(part, mode);
    try {
      let at = 0;
      while (at < bytes.length) at += writeSync(file, bytes, at);
    } finally {
      closeSync(file);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function open(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
    makeFolder(dirname(path));
    return openSync(path, 'wx', mode);
  }
}

/** The store's own folder is there: the publisher makes it. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error; // else another worker was first
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
