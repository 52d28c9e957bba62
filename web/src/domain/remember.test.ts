import { expect, it, vi } from 'vitest';
import { remember } from './remember.ts';

it('makes a value once for each key', () => {
  const make = vi.fn((key: string) => ({ key }));
  const made = remember(make);
  expect(made('de')).toBe(made('de'));
  expect(made('ar')).toEqual({ key: 'ar' });
  expect(make).toHaveBeenCalledTimes(2);
});
