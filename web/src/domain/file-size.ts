/** Sizes of files as visitors read them. */

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** By powers of 1000, as the units say: whole kilobytes, and one digit behind the point from a megabyte on. */
export function printFileSize(bytes: number, locale: string): string {
  let [at, size] = [0, bytes];
  // A size that would be rounded up to a thousand is given in the next unit.
  while (at < UNITS.length - 1 && Math.round(size * 10 ** digitsOf(at)) >= 1000 * 10 ** digitsOf(at)) {
    size /= 1000;
    at += 1;
  }
  const unit = UNITS[at] ?? 'byte';
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digitsOf(at),
  }).format(size);
}

function digitsOf(unit: number): number {
  return unit < UNITS.indexOf('megabyte') ? 0 : 1;
}
