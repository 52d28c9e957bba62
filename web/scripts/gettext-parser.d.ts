/** The part of gettext-parser that is used here; the package has no types of its own. */
declare module 'gettext-parser' {
  interface Message {
    msgctxt?: string;
    msgid: string;
    msgid_plural?: string;
    msgstr: string[];
    comments?: { translator?: string; reference?: string; extracted?: string; flag?: string; previous?: string };
  }
  interface Translations {
    charset?: string;
    headers: Record<string, string>;
    translations: Record<string, Record<string, Message>>;
  }
  export const po: {
    parse(text: string): Translations;
    compile(data: Translations, options?: { foldLength?: number }): Buffer;
  };
}
