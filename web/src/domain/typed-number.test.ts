import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainNumber, plainPhone } from './typed-number.ts';

const CASES: { plain: [string, string][]; phones: [string, string | null][] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../testing/typed-numbers.json'), 'utf8'),
);

it.each(CASES.plain)('the number %j becomes %j', (typed, plain) => {
  expect(plainNumber(typed)).toBe(plain);
});

it.each(CASES.phones)('the phone number %j becomes %j', (typed, plain) => {
  expect(plainPhone(typed)).toBe(plain);
});
