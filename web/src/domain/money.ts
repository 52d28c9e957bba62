/** Amounts of money as visitors read them. */

/**
 * How a locale writes an amount. The server determines it and islands get it as a prop: browsers lack some of our
 * languages, and would write `AZN 12,000` where the page has `12.000 AZN`.
 */
export interface MoneyPattern {
  /** With `{n}` where the digits stand. */
  text: string;
  /** Between groups of three digits. */
  group: string;
  /** Digits from which on there are groups: Polish writes 1000 and 10 000. */
  groupsFrom: number;
}

export function buildMoneyPattern(locale: string, currency: string): MoneyPattern {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  });
  const parts = format.formatToParts(1_234_567);
  const isNumber = (type: string) => type === 'integer' || type === 'group';
  const first = parts.findIndex(({ type }) => isNumber(type));
  const text = parts.flatMap(({ type, value }, index) => (isNumber(type) ? (index === first ? ['{n}'] : []) : [value]));
  const group = parts.find(({ type }) => type === 'group')?.value ?? '';
  const hasGroups = (amount: number) => format.formatToParts(amount).some(({ type }) => type === 'group');
  return { text: text.join(''), group, groupsFrom: hasGroups(1000) ? 4 : 5 };
}

/** A whole amount. */
export function printMoney(amount: number, { text, group, groupsFrom }: MoneyPattern): string {
  const digits = String(Math.round(amount));
  const grouped = digits.length < groupsFrom ? digits : digits.replace(/\B(?=(\d{3})+$)/g, group);
  return text.replace('{n}', () => grouped);
}
