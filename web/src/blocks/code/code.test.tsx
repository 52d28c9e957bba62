// @vitest-environment jsdom
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import { Code } from './code.tsx';

const examples = blockExamples().flatMap(({ name, block }) => (block.type === 'code' ? [{ name, block }] : []));

it.each(examples)('$name is shown as it was typed, from left to right', ({ block }) => {
  const html = renderToStaticMarkup(<Code {...block} />);
  document.body.innerHTML = html;
  expect(document.querySelector('pre[dir=ltr] > code')?.textContent).toBe(block.code);
  expect(document.querySelector('code')?.childElementCount).toBe(0);
});

it('has no brace in its HTML, which would pass for a placeholder', () => {
  expect(examples.some(({ block }) => block.code.includes('{year}'))).toBe(true);
  for (const { block } of examples) expect(renderToStaticMarkup(<Code {...block} />)).not.toContain('{');
});
