import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { focusOf } from './media.ts';

it.each([
  [undefined, undefined],
  [null, undefined],
  [{ x: 50, y: 50 }, undefined],
  [{ x: 50, y: 51 }, 'x50 y50 y_1'],
  [{ x: 0, y: 100 }, 'x0 y100'],
  [{ x: 32, y: 4 }, 'x30 x_2 y0 y_4'],
])('says where %o is', (focus, said) => {
  expect(focusOf(focus)).toBe(said);
});

it('names only digits that have a rule', () => {
  const css = readFileSync(new URL('../../tokens/focus.css', import.meta.url), 'utf8');
  for (let percent = 0; percent <= 100; percent++) {
    for (const digit of focusOf({ x: percent, y: 100 - percent })?.split(' ') ?? []) {
      expect(css).toContain(`[data-focus~="${digit}"]`);
    }
  }
});
