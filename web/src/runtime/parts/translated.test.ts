/** A browser that translates a page detaches its text nodes: a script that goes on writing into one changes nothing that is seen. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const WRITES_INTO_TEXT_NODES =
  /\b(?:nodeValue|wholeText)\s*=[^=]|(?:first|last)Child[!?]?\.(?:textContent|data)\s*=[^=]/;
const SRC = new URL('../../', import.meta.url).pathname;

it.each([
  ["row.lastChild.textContent = 'new'", true],
  ["text.nodeValue = 'new'", true],
  ["row.firstChild?.data = 'new'", true],
  ["row.textContent = 'new'", false],
  ["row.lastChild.textContent === 'old'", false],
  ["row.lastChild.replaceWith('new')", false],
])('%s: %s', (code, writes) => {
  expect(WRITES_INTO_TEXT_NODES.test(code)).toBe(writes);
});

it('no script of a page writes into a text node: it writes into the element, or replaces the node', () => {
  const scripts = globSync('**/*.{ts,tsx}', { cwd: SRC }).filter((path) => !/\.test\.|^testing\//.test(path));
  expect(scripts.length).toBeGreaterThan(100);
  expect(scripts.filter((path) => WRITES_INTO_TEXT_NODES.test(readFileSync(SRC + path, 'utf-8')))).toEqual([]);
});
