import { describe, expect, it } from 'vitest';
import { lettersByFont } from './fonts.ts';

const face = (url: string, range: string) =>
  `@font-face { font-family: "A"; src: url("${url}") format("woff2"); ${range} }\n`;

describe('letters of fonts that are cut down', () => {
  it('are those of every rule that names the font', () => {
    const css =
      face('@letters/one.woff2', 'unicode-range: U+20, U+41-43;') +
      face('@fontsource/whole.woff2', 'unicode-range: U+61-7A;') +
      face('@letters/one.woff2', 'unicode-range:\n    U+627,\n    U+64B-64C;') +
      face('@letters/two.woff2', 'unicode-range: u+1f600;');
    expect([...lettersByFont(css)]).toEqual([
      ['one', ' ABC\u0627\u064B\u064C'],
      ['two', '😀'],
    ]);
  });

  it.each([
    ['', /one\.woff2 has no unicode-range/],
    ['unicode-range: U+4?;', /"U\+4\?" is no range/],
    ['unicode-range: U+43-41;', /"U\+43-41" is no range/],
  ])('cannot be told from %j', (range, message) => {
    expect(() => lettersByFont(face('@letters/one.woff2', range))).toThrow(message);
  });
});
