/** The contract's examples: one value for the tests of both languages, the gallery and the benchmark. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block, PageContent, PageFacts, SharedData } from '../src/contract/types.ts';

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

/** One page of each kind: the example page, one with every block in every example, an article that has no hero, an event with it. */
export function examplePages(): Record<'home' | 'blocks' | 'article' | 'event', PageContent> {
  const home = pageExample();
  const blocks = blockExamples().map(({ block }) => block);
  const hero = home.blocks.filter(({ type }) => type === 'hero');
  const text = home.blocks.filter(({ type }) => type === 'rich_text');
  const [news] = home.blocks.flatMap((block) => (block.type === 'news_list' ? block.articles : []));
  const [meeting] = home.blocks.flatMap((block) => (block.type === 'event_list' ? block.events : []));
  if (!news || !meeting) throw new Error('The example page has lists of news and of events.');
  const { link: _, ...newsFacts } = news;
  const { link: __, ...eventFacts } = meeting;
  return {
    home,
    blocks: { ...home, path: '/blocks', key: 'blocks', header: 'solid', blocks },
    article: opened({ family: 'article', ...newsFacts }, 'Insights', text),
    event: opened({ family: 'event', ...eventFacts }, 'Events', [...hero, ...text]),
  };
}

/** A page of a family with an opening. */
function opened(facts: PageFacts, list: string, blocks: Block[]): PageContent {
  const breadcrumb = [{ title: list, href: '/', external: false, site: null, hreflang: null }];
  return { ...pageExample(), path: '/example', template: facts.family, header: 'solid', facts, breadcrumb, blocks };
}
