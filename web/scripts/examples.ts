/** The contract's examples: one value for the tests of both languages, the gallery and the benchmark. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block, PageContent, SharedData } from '../src/contract/index.ts';

const EXAMPLES = join(import.meta.dirname, '../../contract/examples');

function read(path: string) {
  return JSON.parse(readFileSync(join(EXAMPLES, path), 'utf8'));
}

export interface BlockExample {
  /** `<type>.<example>` */
  name: string;
  block: Block;
}

export function blockExamples(): BlockExample[] {
  return readdirSync(join(EXAMPLES, 'blocks'))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.json'.length), block: read(`blocks/${file}`) }));
}

export function pageExample(): PageContent {
  return read('pages/home.json');
}

export function sharedExample(): SharedData {
  return read('pages/shared.json');
}
