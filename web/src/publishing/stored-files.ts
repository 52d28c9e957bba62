import { closeSync, openSync, readSync } from 'node:fs';

/** Where stored bytes lie. */
export type StoredBytes = [file: string, offset: number, size: number];

const ROOM_BYTES = 1 << 20;

/** Reads stored files. A file is opened once: a pack has many pages. */
export class StoredFiles {
  private readonly opened = new Map<string, number>();
  private room = Buffer.allocUnsafeSlow(ROOM_BYTES);

  /** The bytes of all these places, which are the caller's until the next are read. */
  read<Places extends readonly StoredBytes[]>(...places: Places): { [Place in keyof Places]: Buffer } {
    const whole = places.reduce((sum, [, , size]) => sum + size, 0);
    if (whole > this.room.length) this.room = Buffer.allocUnsafeSlow(2 * whole);
    let end = 0;
    return places.map(([path, offset, size]) => {
      const bytes = this.room.subarray(end, end + size);
      end += size;
      const read = readSync(this.open(path), bytes, 0, size, offset);
      if (read < size) throw new Error(`${path} ends before what is stored of the page does.`);
      return bytes;
    }) as { [Place in keyof Places]: Buffer };
  }

  /** Before others may replace the files. */
  close(): void {
    for (const file of this.opened.values()) closeSync(file);
    this.opened.clear();
  }

  private open(path: string): number {
    const file = this.opened.get(path) ?? openSync(path, 'r');
    this.opened.set(path, file);
    return file;
  }
}
