/**
 * One file for all files that one worker stores during one publish. Creating a file costs several times as much as its bytes, and
 * each file waits for the disk. The publisher writes the index of the parts (`portolan/builds/packs.py`).
 */
import { closeSync, fstatSync, openSync, writevSync } from 'node:fs';
import { digestOf, type Files, type StoredCopy, type StoredFile } from './files.ts';

const MODE = 0o444;

export class Pack implements Files {
  private readonly file: number;
  private end: number;
  private held: Buffer[] = [];

  /** The folder must be there. A pack that is there already is continued. */
  constructor(path: string) {
    this.file = openSync(path, 'a', MODE);
    this.end = fstatSync(this.file).size;
  }

  put(bytes: Buffer): StoredFile {
    return [digestOf(bytes), bytes.length, this.hold(bytes)];
  }

  putCopy(_digest: string, bytes: Buffer): StoredCopy {
    return [bytes.length, this.hold(bytes)];
  }

  flush(): void {
    let rest = this.held;
    this.held = [];
    while (rest.length > 0) rest = behind(rest, writevSync(this.file, rest));
  }

  close(): void {
    closeSync(this.file);
  }

  private hold(bytes: Buffer): number {
    const offset = this.end;
    this.held.push(bytes);
    this.end += bytes.length;
    return offset;
  }
}

/** Returns the remaining buffers after so many bytes. */
function behind(buffers: Buffer[], written: number): Buffer[] {
  let left = written;
  for (const [index, buffer] of buffers.entries()) {
    if (left < buffer.length) return [buffer.subarray(left), ...buffers.slice(index + 1)];
    left -= buffer.length;
  }
  return [];
}
