import '../testing/dom.ts';
import { describe, expect, it } from 'vitest';
import { blockExamples, examplePages } from '../../scripts/examples.ts';
import type { PageContent } from '../contract/types.ts';
import { renderHtml } from '../testing/render-html.tsx';
import { Closing, hasClosing } from './closing.tsx';

const { article, event } = examplePages();
const callToAction = blockExamples().find(({ name }) => name === 'call_to_action.default')?.block;
if (!callToAction || event.facts?.family !== 'event') throw new Error('the contract has examples of both');
const { facts } = event;

function linksOf(page: PageContent): (string | null)[][] {
  document.body.innerHTML = renderHtml(<Closing page={page} />);
  return [...document.querySelectorAll('a')].map((link) => [
    link.getAttribute('href'),
    link.firstChild?.textContent ?? '',
  ]);
}

describe('the end of a page', () => {
  const events = ['/', 'More: Events'];
  it.each([
    ['an article', article, [['/', 'More: Insights']]],
    [
      'an event to register for',
      { past: false, registration: 'https://t.example/' },
      [['https://t.example/', 'Register'], events],
    ],
    ['an event that is over', { past: true, registration: 'https://t.example/' }, [events]],
    ['an event nobody has to register for', { past: false, registration: '' }, [events]],
  ])('of %s leads on', (_, known, links) => {
    const page = 'blocks' in known ? known : { ...event, facts: { ...facts, ...known } };
    expect(hasClosing(page)).toBe(true);
    expect(linksOf(page)).toEqual(links);
  });

  it('is the editor’s own last word where there is one', () => {
    expect(hasClosing({ ...article, blocks: [...article.blocks, callToAction] })).toBe(false);
  });

  it('is not there on pages that are no articles, events or case studies', () => {
    expect(hasClosing({ ...article, facts: null })).toBe(false);
  });
});
