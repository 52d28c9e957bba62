import { beforeEach, expect, it, vi } from 'vitest';
import { BUDGET, checkBudget, type Weight } from './weight.ts';

const FITS: Weight = { ...BUDGET, pages: { home: 1 } };
const { react, preact } = BUDGET.islands;

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

it.each<[said: string, weight: Weight, hasPlugins: boolean, warns: boolean, fails: boolean]>([
  ['fits', FITS, false, false, false],
  ['is a little too heavy with React', { ...FITS, islands: { react: react * 1.09, preact } }, false, true, false],
  ['is a little too heavy with Preact', { ...FITS, islands: { react, preact: preact + 1 } }, false, true, false],
  ['is far too heavy with Preact', { ...FITS, islands: { react, preact: react } }, false, false, true],
  ['has a loader that is far too heavy', { ...FITS, loader: BUDGET.loader * 2 }, false, false, true],
  ['is far too heavy with plugins', { ...FITS, loader: BUDGET.loader * 2 }, true, true, false],
])('a build that %s', (_, weight, hasPlugins, warns, fails) => {
  const check = () => checkBudget(weight, hasPlugins);
  if (fails) expect(check).toThrow(/^Too heavy: /);
  else check();
  expect(vi.mocked(console.warn).mock.calls.length > 0).toBe(warns);
});
