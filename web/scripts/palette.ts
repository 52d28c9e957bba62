/** The values of the tokens that a brand changes, for sharing pictures and for the publisher (`publisher/palette.py`). */
import { readFileSync } from 'node:fs';
import { type AtRule, type Declaration, parse, type Root, type Rule } from 'postcss';
import type { Ground } from '../src/document/assets.ts';

/** All rules of `tokens/colour.css` that give colours, in its order. */
export function readPalette(css: Root): Ground[] {
  const grounds: Ground[] = [];
  css.walkRules((rule) => {
    const own = rule.nodes.filter((node): node is Declaration => node.type === 'decl' && HEX.test(node.value));
    if (own.length === 0) return;
    const around = rule.parent?.type === 'atrule' ? (rule.parent as AtRule).params : '';
    grounds.push({
      selector: rule.selector.replace(/\s+/g, ' '),
      media: around,
      colours: Object.fromEntries(own.map(({ prop, value }) => [prop, lengthen(value)])),
    });
  });
  return grounds;
}

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

function lengthen(hex: string): string {
  return (hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex).toLowerCase();
}

/** The font families of `tokens/type.css`, by the selector that has them: a brand's own come before them. */
export function readFontStacks(css: Root): Record<string, string> {
  const stacks: Record<string, string> = {};
  css.walkDecls('--font', (declaration) => {
    if (declaration.parent?.type === 'rule') stacks[(declaration.parent as Rule).selector] = declaration.value;
  });
  return stacks;
}

export function readTokens(name: string): Root {
  return parse(readFileSync(new URL(`../src/tokens/${name}.css`, import.meta.url), 'utf8'));
}
