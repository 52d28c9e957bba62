import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContentStore } from './content-store.ts';

const BYTES = Buffer.from('<p>Wörter</p>');
const DIGEST = createHash('sha256').update(BYTES).digest('hex').slice(0, 32);
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  path = join(folder, DIGEST.slice(0, 2), DIGEST);
});

afterEach(() => rmSync(folder, { recursive: true }));

function mode(file: string): number {
  return statSync(file).mode & 0o777;
}

it('stores bytes under their digest, read-only, and leaves nothing half-written', () => {
  const store = new ContentStore(folder);
  expect(store.put(BYTES)).toEqual([DIGEST, BYTES.length, -1]);
  expect(readFileSync(path)).toEqual(BYTES);
  expect(mode(path)).toBe(0o444);
  store.putCopy(DIGEST, Buffer.from('copy'));
  store.putCopy(DIGEST, Buffer.from('better copy'));
  expect(readFileSync(`${path}.br`, 'utf8')).toBe('better copy');
  expect(mode(`${path}.br`)).toBe(0o644);
  expect(readdirSync(join(folder, DIGEST.slice(0, 2)))).toEqual([DIGEST, `${DIGEST}.br`]);
});

it('writes nothing that is there, and touches what has long not been used', () => {
  const store = new ContentStore(folder);
  store.put(BYTES);
  const { ino } = statSync(path);
  utimesSync(path, 1_000_000, 1_000_000);
  store.put(BYTES);
  expect(statSync(path).ino).toBe(ino);
  expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  const { mtimeMs } = statSync(path);
  store.put(BYTES);
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
});

it('writes again what a power cut has damaged', () => {
  const store = new ContentStore(folder);
  store.put(BYTES);
  rmSync(path);
  writeFileSync(path, '');
  store.put(BYTES);
  expect(readFileSync(path)).toEqual(BYTES);
});
