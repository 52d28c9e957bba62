import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { focusOf } from './media.ts';

it.each([
  [undefined, undefined],
  [null, undefined],
  [{ x: 50, y: 50 }, undefined],
  [{ x: 46, y: 54 }, undefined],
  [{ x: 54, y: 55 }, 'x50 y60'],
  [{ x: 0, y: 100 }, 'x0 y100'],
  [{ x: 33, y: 4 }, 'x30 y0'],
])('says where %o is', (focus, said) => {
  expect(focusOf(focus)).toBe(said);
});

it('names only steps that have a rule', () => {
  const css = readFileSync(new URL('../../tokens/focus.css', import.meta.url), 'utf8');
  for (let percent = 0; percent <= 100; percent++) {
    const [x, y] = focusOf({ x: percent, y: 100 - percent })?.split(' ') ?? [];
    for (const step of [x, y].filter((step) => step && !step.endsWith('50'))) {
      expect(css).toContain(`[data-focus~="${step}"]`);
    }
  }
});
