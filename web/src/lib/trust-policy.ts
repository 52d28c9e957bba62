/**
 * Our own text that becomes part of the page: content that the site itself has published, and URLs of its own scripts. On a page
 * without other scripts, the policy refuses all other text (Trusted Types, `publisher/well_known.py`).
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
 * Creates a policy under a name that the pages' policy allows, each once. Its results are strings only for TypeScript. Browsers
 * without Trusted Types use the text as it is.
 */
export function trustPolicy(name: 'portolan' | 'visitor'): Policy {
  const rules: Policy = { createHTML: (html) => html, createScriptURL: (url) => url };
  return (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy(name, rules) ?? rules;
}
