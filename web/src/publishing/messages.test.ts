import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MessageReader, writeMessage } from './messages.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'messages-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(path: string): string[] {
  const file = openSync(path, 'r');
  const reader = new MessageReader(file);
  const found: string[] = [];
  for (let message = reader.next(); message; message = reader.next()) found.push(String(message));
  closeSync(file);
  return found;
}

it('reads what was written, also what is larger than its room', () => {
  const path = join(folder, 'pipe');
  const texts = ['', 'short', 'x'.repeat(700_000), 'y'.repeat(700_000), 'z'.repeat(5_000_000), 'last'];
  const file = openSync(path, 'w');
  for (const text of texts) writeMessage(file, [Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))]);
  closeSync(file);
  expect(read(path)).toEqual(texts);
});

it('ends at the end of the input, also within a message', () => {
  const path = join(folder, 'pipe');
  writeFileSync(path, Buffer.from([0, 0, 0, 9, 65]));
  expect(read(path)).toEqual([]);
  writeFileSync(path, Buffer.from([0, 0]));
  expect(read(path)).toEqual([]);
});
