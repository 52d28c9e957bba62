/** Reads PO files, which translators edit, for the build and the check. */
import { readFile } from 'node:fs/promises';
import { po as gettext } from 'gettext-parser';
import type { Plugin } from 'vite';
import type { Catalog, PluralForms } from '../src/locales/catalog.ts';

const CATEGORIES: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** The plural forms a language has, in the order in which `msgstr[0]`, `msgstr[1]` … give them. */
export function pluralCategories(lang: string): Intl.LDMLPluralRule[] {
  const used = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
  return CATEGORIES.filter((category) => used.includes(category));
}

export interface PoEntry {
  key: string;
  source: string;
  plural: string | undefined;
  forms: string[];
  fuzzy: boolean;
}

/** Entries of a PO file by key, which is the `msgctxt`. */
export function readPo(text: string): Map<string, PoEntry> {
  const { translations } = gettext.parse(text);
  const entries = new Map<string, PoEntry>();
  for (const [key, messages] of Object.entries(translations)) {
    for (const message of Object.values(messages)) {
      if (key === '' || message.msgid === '') continue;
      const fuzzy = message.comments?.flag?.includes('fuzzy') ?? false;
      entries.set(key, { key, source: message.msgid, plural: message.msgid_plural, forms: message.msgstr, fuzzy });
    }
  }
  return entries;
}

/** Returns the worker's texts of a PO file: finished translations only, so that other texts fall back to English. */
export function compileCatalog(lang: string, text: string): Catalog {
  const categories = pluralCategories(lang);
  const catalog: Catalog = {};
  for (const { key, plural, forms, fuzzy } of readPo(text).values()) {
    if (fuzzy || forms.some((form) => form === '')) continue;
    if (plural === undefined) {
      catalog[key] = forms[0];
    } else {
      const byCategory: PluralForms = {};
      categories.forEach((category, index) => {
        const form = forms[index];
        if (form !== undefined) byCategory[category] = form;
      });
      catalog[key] = byCategory;
    }
  }
  return catalog;
}

/** Lets `import catalog from './de-DE.po'` work. */
export function po(): Plugin {
  return {
    name: 'po',
    async load(id) {
      const file = id.replace(/\?.*$/, '');
      if (!file.endsWith('.po')) return null;
      const lang = file.replace(/^.*\//, '').replace(/\.po$/, '');
      this.addWatchFile(file);
      return {
        code: `export default ${JSON.stringify(compileCatalog(lang, await readFile(file, 'utf8')))}`,
        moduleType: 'js',
      };
    },
  };
}
