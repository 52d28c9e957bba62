/** Phone numbers in forms: a prefix that is chosen and the rest that is typed. Pure. */
import { phonePrefixes } from '../../../contract/constants.json';
import { plainPhone } from './typed-number.ts';

export interface PhoneNumber {
  /** ISO 3166-1 alpha-2, lower case; empty where none is chosen. */
  country: string;
  /** Without the prefix. */
  rest: string;
}

const PREFIXES: Readonly<Record<string, string>> = phonePrefixes;

/** Of several countries that share a prefix, the one that is assumed for a number with this prefix. */
const FIRST_OF: Readonly<Record<string, string>> = {
  '1': 'us',
  '7': 'ru',
  '39': 'it',
  '44': 'gb',
  '47': 'no',
  '358': 'fi',
  '61': 'au',
  '212': 'ma',
  '262': 're',
  '590': 'gp',
  '599': 'cw',
};

const LONGEST_PREFIX = 3;

export function prefixOf(country: string): string {
  return PREFIXES[country] ?? '';
}

/** Those of `PREFIXES` by the prefix's number, then by the country's name. */
export function listPrefixes(): [country: string, prefix: string][] {
  return Object.entries(PREFIXES);
}

/**
 * Splits a number that was typed or filled in with its prefix (`+49 30 …`, `0049 30 …`), and writes it plainly. The chosen
 * country stays if the prefix is its own. A text that does not look like a number stays as it was typed.
 */
export function takeApart(typed: string, chosen: string): PhoneNumber {
  const plain = plainPhone(typed);
  if (plain === null) return { country: chosen, rest: typed };
  const international = plain.match(/^\(?(?:\+|00)\s*(.*)$/)?.[1];
  if (international === undefined) return { country: chosen, rest: plain };
  const digits = international.replace(/\D/g, '');
  for (let length = LONGEST_PREFIX; length > 0; length -= 1) {
    const prefix = digits.slice(0, length);
    const country = findCountry(prefix, chosen);
    if (prefix.length === length && country) return { country, rest: cutDigits(international, length) };
  }
  return { country: chosen, rest: plain };
}

/** Returns the number to send: `+49 30 901820`. Empty for empty input; the input itself if it looks wrong. */
export function putTogether({ country, rest }: PhoneNumber): string {
  const number = plainPhone(rest);
  if (number === null) return rest.trim();
  const prefix = prefixOf(country);
  return prefix === '' || /^\(?(?:\+|00)/.test(number) ? number : `+${prefix} ${number}`;
}

function findCountry(prefix: string, chosen: string): string | undefined {
  if (PREFIXES[chosen] === prefix) return chosen;
  return FIRST_OF[prefix] ?? Object.keys(PREFIXES).find((country) => PREFIXES[country] === prefix);
}

/** The rest of the text after this many digits. */
function cutDigits(text: string, count: number): string {
  let left = count;
  for (const [index, character] of [...text].entries()) {
    if (/\d/.test(character)) left -= 1;
    // A bracket closes in "(+49) 30".
    if (left === 0) return text.slice(index + 1).replace(/^[\s)]+/, '');
  }
  return '';
}
