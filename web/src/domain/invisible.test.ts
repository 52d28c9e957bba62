import { describe, expect, it } from 'vitest';
import { trimText } from './invisible.ts';

const TEXTS: [typed: string, left: string][] = [
  ['\u200b', ''],
  ['\u3164', ''],
  ['\u2800\u2800', ''],
  ['\ufeff\u200d', ''],
  ['\u200e\u202a\u2069', ''],
  ['\u00a0\u00ad \t', ''],
  ['\ufe0f', ''],
  ['\u200bAda\u00a0', 'Ada'],
  ['\u202bمحمد\u202c', 'محمد'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['Ada ❤\ufe0f', 'Ada ❤\ufe0f'],
  ['👩\u200d💻', '👩\u200d💻'],
];

describe('a text that shows nothing', () => {
  it.each(TEXTS)('%j is left as %j', (typed, left) => {
    expect(trimText(typed)).toBe(left);
  });
});
