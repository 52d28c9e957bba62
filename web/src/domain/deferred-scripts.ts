/** Who gets a deferred script (spec §4 Deferred scripts; docs/privacy.md). Pure. */
import type { DeferredScript } from '../contract/types.ts';
import type { Purpose } from './consent.ts';

export type Verdict = 'allowed' | 'withheld' | 'not-granted';

/**
 * | visitor's country   | purpose             | verdict     |
 * |---------------------|---------------------|-------------|
 * | in its list         | any                 | withheld    |
 * | another, or unknown | necessary           | allowed     |
 * | another, or unknown | granted             | allowed     |
 * | another, or unknown | not granted         | not-granted |
 *
 * The site's consent profile decides about grants: with `spec` everything, until the visitor objects.
 */
export function judgeScript(
  { purpose, withheldIn }: Pick<DeferredScript, 'purpose' | 'withheldIn'>,
  country: string | undefined,
  isGranted: (purpose: Purpose) => boolean,
): Verdict {
  if (country !== undefined && withheldIn.includes(country)) return 'withheld';
  return purpose === 'necessary' || isGranted(purpose) ? 'allowed' : 'not-granted';
}
