import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addFiles, megabytes } from './chosen-files.ts';
import { FILE_EXTENSIONS, LARGEST_FILE_BYTES, MOST_FILES } from './limits.ts';

function file(name: string, size = 1, lastModified = 0): File {
  const made = new File([''], name, { lastModified });
  Object.defineProperty(made, 'size', { value: size });
  return made;
}

const MIB = 1 << 20;

describe('files that go along', () => {
  it.each([
    ['one', [], [file('a.pdf')], ['a.pdf'], []],
    ['letters of any size', [], [file('A.PDF')], ['A.PDF'], []],
    ['the same one twice is one', [file('a.pdf')], [file('a.pdf')], ['a.pdf'], []],
    ['no programs', [], [file('a.exe'), file('b.pdf')], ['b.pdf'], ['a.exe kind']],
    ['none without an ending', [], [file('pdf.')], [], ['pdf. kind']],
    ['none that is empty', [], [file('a.pdf', 0)], [], ['a.pdf empty']],
    ['none over the limit', [], [file('a.pdf', 10 * MIB), file('b.pdf', 10 * MIB + 1)], ['a.pdf'], ['b.pdf too-large']],
    [
      'not all that together are too much',
      [file('a.pdf', 10 * MIB), file('b.pdf', 10 * MIB)],
      [file('c.pdf', 10 * MIB)],
      ['a.pdf', 'b.pdf'],
      ['c.pdf too-much'],
    ],
    [
      'five',
      [1, 2, 3, 4].map((n) => file(`${n}.txt`)),
      [file('5.txt'), file('6.txt')],
      ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'],
      ['6.txt too-many'],
    ],
  ])('%s', (_, before, added, kept, refused) => {
    const chosen = addFiles(before, added);
    expect(chosen.files.map(({ name }) => name)).toEqual(kept);
    expect(chosen.refused.map(({ name, problem }) => `${name} ${problem}`)).toEqual(refused);
  });

  it('are those the API takes', () => {
    const contract = readFileSync(join(import.meta.dirname, '../../../../contract/openapi.json'), 'utf8');
    expect(contract).toContain(`${MOST_FILES} files of ${LARGEST_FILE_BYTES >> 20} MiB`);
    const kinds = contract
      .match(/One of ([a-z, ]+), by name and content/)?.[1]
      ?.split(', ')
      .sort();
    expect(kinds).toEqual([...FILE_EXTENSIONS].sort());
  });
});

it.each([
  [1, 0.1],
  [1.26 * MIB, 1.3],
  [10 * MIB, 10],
])('%d bytes are %d MB', (bytes, size) => {
  expect(megabytes(bytes)).toBe(size);
});
