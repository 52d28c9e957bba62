import { describe, expect, it } from 'vitest';
import { type PhoneNumber, prefixOf, putTogether, takeApart } from './phone-number.ts';

const TYPED: [typed: string, chosen: string, taken: PhoneNumber][] = [
  ['030 901820', 'de', { country: 'de', rest: '030 901820' }],
  ['+49 30 901820', 'gb', { country: 'de', rest: '30 901820' }],
  ['0049 30 901820', 'gb', { country: 'de', rest: '30 901820' }],
  ['+971501234567', 'de', { country: 'ae', rest: '501234567' }],
  ['+7 727 010 03 00', 'kz', { country: 'kz', rest: '727 010 03 00' }],
  ['+7 495 000 00 00', 'de', { country: 'ru', rest: '495 000 00 00' }],
  ['+1 (214) 555-0142', '', { country: 'us', rest: '(214) 555-0142' }],
  ['+44 20 7946 0700', 'je', { country: 'je', rest: '20 7946 0700' }],
  ['+', 'de', { country: 'de', rest: '+' }],
  ['+999 12345', 'de', { country: 'de', rest: '+999 12345' }],
  ['\u202a+49 30 901820\u202c', 'gb', { country: 'de', rest: '30 901820' }],
  ['+٩٧١ ٥٠ ١٢٣ ٤٥٦٧', 'de', { country: 'ae', rest: '50 123 4567' }],
  ['٠٠٩٧١ ٥٠ ١٢٣ ٤٥٦٧', 'de', { country: 'ae', rest: '50 123 4567' }],
  ['(+49) 30–901820 ext. 7', 'gb', { country: 'de', rest: '30-901820 ext. 7' }],
  ['+49 (0)30 901820', 'gb', { country: 'de', rest: '(0)30 901820' }],
  ['call me', 'de', { country: 'de', rest: 'call me' }],
  ['', 'de', { country: 'de', rest: '' }],
];

describe('a number as it was typed', () => {
  it.each(TYPED)('%j, with %j chosen', (typed, chosen, taken) => {
    expect(takeApart(typed, chosen)).toEqual(taken);
  });
});

describe('a number as it is sent', () => {
  it.each([
    [{ country: 'de', rest: '30 901820' }, '+49 30 901820'],
    [{ country: 'de', rest: '  ' }, ''],
    [{ country: '', rest: '030 1234' }, '030 1234'],
    [{ country: 'de', rest: '+999 12345' }, '+999 12345'],
    [{ country: 'ae', rest: '٥٠ ١٢٣ ٤٥٦٧' }, '+971 50 123 4567'],
    [{ country: 'de', rest: '\u200e+49 30 901820' }, '+49 30 901820'],
    [{ country: 'de', rest: ' call me ' }, 'call me'],
  ])('%j', (number, sent) => {
    expect(putTogether(number)).toBe(sent);
  });
});

it('has a prefix for every country group', () => {
  expect([prefixOf('ae'), prefixOf('az'), prefixOf('nowhere')]).toEqual(['971', '994', '']);
});
