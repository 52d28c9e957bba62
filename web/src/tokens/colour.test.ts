/** Colours have enough contrast to each background (WCAG 1.4.3, 1.4.11), also if light backgrounds are dark. */
import { readFileSync } from 'node:fs';
import { type Declaration, parse } from 'postcss';
import { expect, it } from 'vitest';

const css = parse(readFileSync(new URL('./colour.css', import.meta.url), 'utf8'));

/** Colours by name, of each rule that says a ground. */
const grounds: [selector: string, colours: Record<string, string>][] = [];
css.walkRules((rule) => {
  const own = rule.nodes.filter((node): node is Declaration => node.type === 'decl');
  const colours = Object.fromEntries(own.map(({ prop, value }) => [prop, value]));
  if ('--ground' in colours) grounds.push([rule.selector, colours]);
});

function luminance(hex = ''): number {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(long.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one?: string, other?: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

it('is said for four grounds', () => {
  expect(grounds.map(([selector]) => selector)).toEqual([
    ':root,\n[data-tone="navy"]',
    '[data-tone="ink"]',
    '[data-tone="paper"]',
    ':root[data-dark] [data-tone="paper"]',
  ]);
});

it('tells black from white as WCAG does', () => {
  expect([contrast('#000', '#ffffff'), contrast('#777777', '#fff')]).toEqual([21, expect.closeTo(4.48, 2)]);
});

it.each(grounds)('on %s', (_, colours) => {
  for (const [what, least] of Object.entries({ text: 7, strong: 7, muted: 4.5, wrong: 4.5, focus: 3 }))
    for (const under of ['--ground', '--raised'])
      expect(contrast(colours[`--${what}`], colours[under]), `${what} on ${under}`).toBeGreaterThanOrEqual(least);
});

it('has every colour on the dark ground that the light one has', () => {
  const [light, dark] = grounds.slice(2).map(([, colours]) => Object.keys(colours));
  expect(dark?.filter((name) => name !== '--plate')).toEqual(light);
});
