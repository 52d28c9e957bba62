/** Finds axe's problems of a page in jsdom, without a browser, for the tests and the gallery. */
import axe, { type Result } from 'axe-core';
import { JSDOM, VirtualConsole } from 'jsdom';

/** jsdom lays nothing out: these are asked in a real browser, by e2e/test_gallery.py. */
export const NEED_A_BROWSER = ['color-contrast', 'target-size', 'scrollable-region-focusable'] as const;

export const RULES = Object.fromEntries(NEED_A_BROWSER.map((rule) => [rule, { enabled: false }]));

/** `<rule>: <the elements it is about>`, one line each. */
export function describeViolations(violations: Result[]): string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

export async function findViolations(html: string): Promise<string[]> {
  // A silent console: axe tests for icon fonts, and jsdom logs an error for each test.
  const { window } = new JSDOM(html, { runScripts: 'outside-only', virtualConsole: new VirtualConsole() });
  try {
    window.eval(axe.source);
    const { violations } = await window.axe.run(window.document, { rules: RULES });
    return describeViolations(violations);
  } finally {
    window.close();
  }
}
