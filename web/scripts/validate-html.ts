/**
 * `node scripts/validate-html.ts`: finds problems of documents by the HTML standard. Reads `[{name, html}]` from standard input,
 * writes `{name: findings}` of documents with problems.
 */
import { readFileSync } from 'node:fs';
import { HtmlValidate, type Message, StaticConfigLoader } from 'html-validate';

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:document'],
    rules: {
      // React writes them so, and browsers read them all alike.
      'attr-case': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'doctype-style': 'off',
      'no-trailing-whitespace': 'off',
      'void-style': 'off',
      // Everything comes from the page's own origin.
      'require-sri': 'off',
      // Numbers are kept in one line by their style, and stay as editors write them.
      'tel-non-breaking': 'off',
      // The menu comes before the page, and the headings of its panels are not part of the page's outline.
      'heading-level': ['error', { allowMultipleH1: false, minInitialRank: 'any' }],
      // Labels name their control although they contain it, because voice control needs the name.
      'no-redundant-for': 'off',
      // A table that is laid out otherwise on phones keeps its roles by naming them.
      'no-redundant-role': 'off',
      'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }],
      // How much of a page has been read is drawn, not measured by a form.
      'prefer-native-element': ['error', { exclude: ['progressbar'] }],
      // Ids of our own begin with an underscore, which no author's anchor does.
      'valid-id': ['error', { relaxed: true }],
      // A visitor sees one of the two notices about cookies; axe checks the visible page.
      'unique-landmark': 'off',
    },
  }),
);

const documents: { name: string; html: string }[] = JSON.parse(readFileSync(0, 'utf8'));
const found: Record<string, string[]> = {};
for (const { name, html } of documents) {
  const { results } = validator.validateStringSync(html, name);
  const messages = results.flatMap(({ messages }) => messages).filter((found) => !isOfFormElsewhere(found, html));
  if (messages.length > 0) {
    found[name] = messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? 'document'})`);
  }
}
process.stdout.write(JSON.stringify(found));

/** The validator counts all controls that name their form (`form="…"`) from outside as one control. */
function isOfFormElsewhere({ ruleId, offset }: Message, html: string): boolean {
  const tag = html.slice(html.lastIndexOf('<', offset), html.indexOf('>', offset));
  return ruleId === 'form-dup-name' && tag.includes(' form="');
}
