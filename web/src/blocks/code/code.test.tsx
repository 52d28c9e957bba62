import '../../testing/dom.ts';

import { expect, it } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import { renderHtml } from '../../testing/render-html.tsx';
import { Code } from './code.tsx';

const examples = blockExamples().flatMap(({ name, block }) => (block.type === 'code' ? [{ name, block }] : []));

it.each(examples)('$name is shown as it was typed, from left to right', ({ block }) => {
  const html = renderHtml(<Code {...block} />);
  document.body.innerHTML = html;
  expect(document.querySelector('pre[dir=ltr] > code')?.textContent).toBe(block.code);
  expect(document.querySelector('code')?.childElementCount).toBe(0);
});

it.each([
  ['{', 'a placeholder'],
  ['"', "a link's address"],
])('has no %s in its HTML, which would pass for part of %s', (character) => {
  expect(examples.some(({ block }) => block.code.includes(character))).toBe(true);
  for (const { block } of examples) {
    const html = renderHtml(<Code {...block} />);
    expect(html.slice(html.indexOf('<code>') + 6, html.indexOf('</code>'))).not.toContain(character);
  }
});
