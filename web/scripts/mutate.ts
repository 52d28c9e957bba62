/**
 * Measures the faults that the tests of `src/domain` and `src/runtime` find. Stryker puts one small fault after the other into
 * the code (a mutant) and runs the tests that cover it. Prints the share of found mutants for each file.
 *
 * `npm run mutate [-- --percent 100] [--seed 1] [--survivors] [--concurrency 1] [FILE…]` tests a sample by default.
 * `--short` takes one small file to check the script.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    percent: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    survivors: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '2' },
    short: { type: 'boolean', default: false },
  },
});

/** Stryker works on a copy in here. */
const COPIES = '.stryker-tmp';
const ROOMS = ['domain', 'runtime'];
const SHORT = 'src/domain/menu-aim.ts';
const FOUND = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

const options = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation-sample.ts'],
  checkers: ['sample'],
  sample: { percent: Number(values.percent), seed: Number(values.seed) },
  mutate:
    positionals.length > 0 || values.short
      ? [...positionals, ...(values.short ? [SHORT] : [])]
      : [
          ...ROOMS.map((room) => `src/${room}/**/*.ts`),
          '!src/**/*.test.ts',
          // The text of its function goes to a worker, which lacks the helpers that Stryker adds to the code.
          '!src/runtime/third-party/off-main-thread.ts',
        ],
  // The rooms' own tests: each is to be held where it stands.
  testFiles: ROOMS.map((room) => `src/${room}/**/*.test.{ts,tsx}`),
  coverageAnalysis: 'perTest' as const,
  // The runner reports code that runs once, while a module is loaded, as survived in any case.
  ignoreStatic: true,
  concurrency: Number(values.concurrency),
  timeoutMS: 15_000,
  dryRunTimeoutMinutes: 20,
  tempDirName: COPIES,
  reporters: ['progress-append-only'],
  ignorePatterns: ['dist', 'public'],
  // Stryker would rewrite tsconfig.json with an interface that TypeScript 7 lacks. The tests do not read the file.
  tsconfigFile: 'none',
};

// Tests read examples of the contract and tables next to `web`; the copy is elsewhere.
rmSync(COPIES, { recursive: true, force: true });
mkdirSync(COPIES);
for (const folder of ['contract', 'testing']) symlinkSync(`../../${folder}`, `${COPIES}/${folder}`, 'dir');
const mutants = await new Stryker(options).runMutationTest().finally(() => rmSync(COPIES, { recursive: true }));

/** Of 100 mutants so many were found; null where there were none. */
function score(of: typeof mutants): number | null {
  const found = of.filter(({ status }) => FOUND.includes(status)).length;
  const all = found + of.filter(({ status }) => MISSED.includes(status)).length;
  return all === 0 ? null : (100 * found) / all;
}

function row(name: string, of: typeof mutants): string {
  const count = (...statuses: string[]) => String(of.filter(({ status }) => statuses.includes(status)).length);
  const percent = score(of)?.toFixed(1) ?? '-';
  return [
    name.padEnd(36),
    ...[percent, count(...FOUND), count('Survived'), count('NoCoverage')].map((cell) => cell.padStart(10)),
  ].join('');
}

const short = (name: string) => name.replace(/^.*\/src\//, '');
console.log(
  ['', 'score', 'found', 'survived', 'no test']
    .map((head, at) => head[at ? 'padStart' : 'padEnd'](at ? 10 : 36))
    .join(''),
);
for (const room of ROOMS) {
  const own = mutants.filter(({ fileName }) => short(fileName).startsWith(`${room}/`));
  console.log(row(room, own));
  for (const file of [...new Set(own.map(({ fileName }) => fileName))].sort())
    console.log(
      row(
        `  ${short(file)}`,
        own.filter(({ fileName }) => fileName === file),
      ),
    );
}

if (values.survivors)
  for (const { fileName, location, mutatorName, replacement, status } of mutants)
    if (MISSED.includes(status))
      console.log(
        `${status} ${short(fileName)}:${location.start.line}:${location.start.column} ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ').slice(0, 120)}`,
      );
