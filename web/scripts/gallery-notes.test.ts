import { JSDOM } from 'jsdom';
import { expect, it } from 'vitest';
import { findViolations } from './accessibility.ts';
import { addNotes, type Checked, countViolations } from './gallery-notes.ts';

const PAGE = '<!doctype html><html lang="en"><head><title>T</title></head><body><main>';
const RESULTS = new Map<string, Checked>([
  ['hero.default', { ltr: [], rtl: [] }],
  ['stats.default', { ltr: ['image-alt: <img src="a">'], rtl: [] }],
]);

it('finds what is wrong with a page, and nothing with one that is well made', async () => {
  expect(await findViolations(`${PAGE}<h1>Charts</h1><img src="a" alt="A chart"></main>`)).toEqual([]);
  expect(await findViolations(`${PAGE}<h1>Charts</h1><img src="a"></main>`)).toEqual(['image-alt: <img src="a">']);
});

it('says above each example what was found in either direction, and leads to the other one', () => {
  const { document } = new JSDOM(addNotes(`${PAGE}<section>1</section><section>2</section></main>`, RESULTS, 'ltr'))
    .window;
  const [summary, first, second] = document.querySelectorAll('main > [data-note]');
  expect(summary?.textContent).toContain('2 examples, accessibility violations: 1');
  expect(summary?.querySelector('a')?.getAttribute('href')).toBe('#example-stats.default');
  expect(first?.id).toBe('example-hero.default');
  expect(first?.querySelector('mark')).toBeNull();
  expect(first?.querySelector('a')?.getAttribute('href')).toBe('blocks-rtl.html#example-hero.default');
  expect(second?.nextElementSibling?.textContent).toBe('2');
  expect(second?.querySelector('mark')?.textContent).toBe('accessibility violations: 1');
  expect(second?.querySelector('li')?.textContent).toBe('image-alt: <img src="a">');
  expect(countViolations(RESULTS.values())).toBe(1);
});

it('refuses a page whose sections are not the examples', () => {
  expect(() => addNotes(`${PAGE}<section>1</section></main>`, RESULTS, 'rtl')).toThrow('1 sections for 2 examples');
});
