/** Translation of interface texts. Used while pages are rendered; the browser gets finished texts as props of islands. */
import { fill } from './fill.ts';
import { type SourceText, TEXTS, type TextKey } from './texts.ts';

export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>>;

/** One language's texts, as `scripts/po.ts` compiles them from `<language>.po`. */
export type Catalog = Partial<Record<string, string | PluralForms>>;

/** `t('officesShown', { n: 3 })`: the text in the page's language. Without values, `{name}` stays for an island to fill in. */
export type Translate = (key: TextKey, values?: Record<string, string | number>) => string;

const CATALOGS = import.meta.glob<Catalog>('./*.po', { eager: true, import: 'default' });

/** Returns the catalogue of a language tag, else of its language (`de` for `de-AT`), else English. */
export function createTranslate(lang: string): Translate {
  const catalog = findCatalog(lang);
  const rules = new Intl.PluralRules(catalog ? lang : 'en');
  return (key, values) => {
    const text: SourceText | PluralForms = catalog?.[key] ?? TEXTS[key];
    if (typeof text === 'string') return fill(text, values);
    const forms: PluralForms = text;
    return fill(forms[rules.select(Number(values?.['n']))] ?? forms.other ?? '', values);
  };
}

function findCatalog(lang: string): Catalog | undefined {
  const exact = CATALOGS[`./${lang}.po`];
  if (exact) return exact;
  const language = lang.split('-')[0];
  const file = Object.keys(CATALOGS).find((name) => name.slice(2).split(/[-.]/)[0] === language);
  return file === undefined ? undefined : CATALOGS[file];
}
