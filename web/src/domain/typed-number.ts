/**
 * Numbers as people write them: digits of every script, invisible marks, dashes of a word processor. Pure.
 * `backend/portolan/domain/typed_numbers.py` does the same on the server; both are tested by `testing/typed-numbers.json`.
 */

/** `Tel.:`, `tel:` */
const LABEL = /^\p{L}{1,12}[.:]{1,2} ?(?=[+(\d])/u;
/** With the extension, in any language. */
const PHONE = /^(\(?\+?[\d ()./-]+)(?:[ ,;]{0,3}(?:#|\p{L}{1,12}[.:=]{0,2}) ?\d{1,8})?$/u;
const FEWEST_DIGITS = 4;
const MOST_DIGITS = 17;

/** The text with ASCII digits, hyphens and spaces, without invisible characters. */
export function plainNumber(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\t-\r\p{Z}]/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/ +/g, ' ')
    .trim();
}

/** The phone number as it can be dialled and read; null if the text does not look like one. */
export function plainPhone(typed: string): string | null {
  const plain = plainNumber(typed).replace(LABEL, '');
  const digits = plain.match(PHONE)?.[1]?.replace(/\D/g, '').length ?? 0;
  return digits >= FEWEST_DIGITS && digits <= MOST_DIGITS ? plain : null;
}

/** The ten digits of a script follow each other. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}
