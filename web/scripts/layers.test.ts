import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postcss from 'postcss';
import { describe, expect, it } from 'vitest';
import { ACCORDION_BELOW_PX, MOBILE_UP_TO_PX } from '../src/constants.ts';
import { checkLayers, LAYERS, layerOf, layers } from './layers.ts';

const SRC = join(import.meta.dirname, '../src');
const wrap = (css: string, file: string) =>
  postcss([layers()])
    .process(css, { from: join(SRC, file) })
    .css.replaceAll(/\s+/g, ' ');

describe('layers', () => {
  it.each([
    ['tokens/reset.css', 'reset'],
    ['tokens/colour.css', 'tokens'],
    ['tokens/print.css', 'media'],
    ['ui/link/link.module.css', 'ui'],
    ['features/header/header.module.css', 'features'],
    ['blocks/hero/hero.module.css', 'blocks'],
    ['layouts/layouts.css', 'layouts'],
    ['blocks/plugins/acme/map.module.css', 'blocks'],
    ['blocks/plugins/acme/branch.layout.module.css', 'layouts'],
  ])('have %s in %s', (path, layer) => {
    expect(layerOf(path)).toBe(layer);
  });

  it('have room for no other folder', () => {
    expect(() => layerOf('document/page.css')).toThrow('in no layer');
  });

  it('hold all rules of a file, and say their order', () => {
    expect(wrap('.a { color: red } @media print { .b { color: blue } }', 'ui/a.css')).toBe(
      `@layer ${LAYERS.join(', ')}; @layer ui { .a { color: red } @media print { .b { color: blue } } }`,
    );
  });

  it('are what a bundle is made of', () => {
    const whole = LAYERS.map((name) => `@layer ${name}{a{color:red}}`).join('');
    expect(() => checkLayers(whole)).not.toThrow();
    expect(() => checkLayers(`${whole}.b{color:red}`)).toThrow('Outside of all layers: .b');
    expect(() => checkLayers(`@layer blocks{a{color:red}}${whole}`)).toThrow('order');
  });
});

it('scripts and styles mean the same limits', () => {
  const media = readFileSync(join(SRC, 'tokens/media.css'), 'utf8');
  expect(media).toContain(`--not-wide (width <= ${MOBILE_UP_TO_PX}px)`);
  expect(media).toContain(`--tablet (width >= ${ACCORDION_BELOW_PX}px)`);
});
