/** Copies the hyphenation library's files (`src/document/hyphens.ts`) next to the render worker. */
import { copyFile, mkdir } from 'node:fs/promises';

const LIBRARY = 'node_modules/hyphen/';
const FILES = [
  'package.json',
  'LICENSE',
  'export-contract.js',
  'hyphen.js',
  'de/index.js',
  'de-1996/index.js',
  'patterns/de-1996.js',
];

export async function copyHyphens(server: URL): Promise<void> {
  for (const file of FILES) {
    const target = new URL(LIBRARY + file, server);
    await mkdir(new URL('.', target), { recursive: true });
    await copyFile(new URL(`../${LIBRARY}${file}`, import.meta.url), target);
  }
}
