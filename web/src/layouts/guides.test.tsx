import { describe, expect, it } from 'vitest';
import type { PageContent } from '../contract/types.ts';
import { AnchorMenu } from '../features/anchor-menu/anchor-menu.tsx';
import { ReadingProgress } from '../features/reading-progress/reading-progress.tsx';
import { Guides, hasGuides } from './guides.tsx';

type Template = PageContent['template'];
type Guide = 'menu' | 'progress';

const ANCHORS = ['facts', 'offices'].map((anchor) => ({ anchor, title: anchor }));
const TEMPLATES: [template: Template, guides: Guide[]][] = [
  ['home', []],
  ['service', ['menu']],
  ['industry', ['menu']],
  ['tech-stack', []],
  ['contact', []],
  ['estimate', []],
  ['about', ['menu']],
  ['case-study', ['menu', 'progress']],
  ['article', []],
  ['event', []],
  ['blueprint', ['menu', 'progress']],
  ['listing', []],
  ['legal', []],
  ['error', []],
];

/** Returns the guides on a page of that type, with so many sections to link to. */
function guidesOf(template: Template, sections: number): Guide[] {
  const anchors = ANCHORS.slice(0, sections);
  const { children } = Guides({ template, anchors }).props as { children: { type: unknown }[] };
  const there = (component: unknown) => children.some((child) => child && child.type === component);
  const guides: Guide[] = [
    ...(there(AnchorMenu) ? ['menu' as const] : []),
    ...(there(ReadingProgress) ? ['progress' as const] : []),
  ];
  expect(hasGuides({ template, anchors })).toBe(guides.length > 0);
  return guides;
}

describe('a page of the family', () => {
  it.each(TEMPLATES)('%s has %j', (template, guides) => {
    expect(guidesOf(template, 2)).toEqual(guides);
  });

  it.each(TEMPLATES)('%s has no menu of a single section', (template, guides) => {
    expect(guidesOf(template, 1)).toEqual(guides.filter((guide) => guide === 'progress'));
  });
});
