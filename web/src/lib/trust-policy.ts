/**
 * Text of our own that becomes part of the page: what the site itself has published, and addresses of its own scripts. Where a page
 * runs no script but the site's, its policy refuses all other text (Trusted Types, `publisher/well_known.py`).
 */

interface Policy {
  /** HTML of a published page, or of its content. */
  createHTML(html: string): string;
  /** The address of a script that the site serves, or that its registry names. */
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy;
}

/**
 * By a name that the pages' policy has, each once. What it gives back is text only to TypeScript. Browsers without Trusted Types
 * take the text as it is.
 */
export function trustPolicy(name: 'portolan' | 'visitor'): Policy {
  const rules: Policy = { createHTML: (html) => html, createScriptURL: (url) => url };
  return (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy(name, rules) ?? rules;
}
