/** Translation of interface texts. Used while pages are rendered; the browser gets finished texts as props of islands. */
import { fill } from './fill.ts';
import { type SourceText, TEXTS, type TextKey } from './texts.ts';

export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>>;

/** One language's texts, as `scripts/po.ts` compiles them from `<language>.po`. */
export type Catalog = Partial<Record<string, string | PluralForms>>;

/** `t('officesShown', { n: 3 })`: the text in the page's language. Without values, `{name}` stays for an island to fill in. */
export type Translate = (key: TextKey, values?: Record<string, string | number>) => string;

const CATALOGS = import.meta.glob<Catalog>('./*.po', { eager: true, import: 'default' });

/**
 * Returns the site's own words, else the catalogue of a language tag, else of its language (`de` for `de-AT`), else English.
 * `words`: texts by key that editors changed in the studio.
 */
export function createTranslate(lang: string, words: Catalog = {}): Translate {
  const catalog = findCatalog(lang);
  const rules = new Intl.PluralRules(lang);
  const english = new Intl.PluralRules('en');
  return (key, values) => {
    const own = words[key] ?? catalog?.[key];
    const text: SourceText | PluralForms = own ?? TEXTS[key];
    if (typeof text === 'string') return fill(text, values);
    const forms: PluralForms = text;
    const category = (own ? rules : english).select(Number(values?.['n']));
    return fill(forms[category] ?? forms.other ?? '', values);
  };
}

function findCatalog(lang: string): Catalog | undefined {
  const exact = CATALOGS[`./${lang}.po`];
  if (exact) return exact;
  const language = lang.split('-')[0];
  const file = Object.keys(CATALOGS).find((name) => name.slice(2).split(/[-.]/)[0] === language);
  return file === undefined ? undefined : CATALOGS[file];
}
