/** The contract's examples: one value for the tests of both languages, the gallery and the benchmark. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block, PageContent, SharedData } from '../src/contract/types.ts';

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

/** A page of the example's kind with this block alone, below a hero, which every page needs for its h1. */
export function pageOf(block: Block): PageContent {
  const hero: Block = {
    type: 'hero',
    id: 'opening',
    tone: 'navy',
    anchor: null,
    eyebrow: '',
    title: 'A page',
    text: '',
    actions: [],
    phones: [],
    picture: null,
    film: null,
  };
  const blocks = block.type === 'hero' ? [block] : [hero, block];
  return { ...pageExample(), path: '/example', key: 'example', blocks };
}

export function pageExample(): PageContent {
  return read('pages/home.json');
}

export function sharedExample(): SharedData {
  return read('pages/shared.json');
}
