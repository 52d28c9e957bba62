/**
 * Which mutants Stryker tests where not all of them: a part of them, the same one in each run. A plugin of Stryker, as a
 * checker: what is not in the sample is told as "does not compile", which counts neither for nor against the tests.
 */
import { type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

export interface Sample {
  /** How many of a hundred mutants. */
  percent: number;
  /** Another seed chooses other mutants. */
  seed: number;
}

interface Mutation {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  location: { start: { line: number; column: number } };
}

/** Stryker asks for the form of its plugins' options here. */
export const strykerValidationSchema = {
  properties: {
    sample: { type: 'object', properties: { percent: { type: 'number' }, seed: { type: 'number' } } },
  },
};

/** Whether a mutant is in the sample: by what it changes and where, so that it does not hang on other files. */
export function isSampled(
  { fileName, mutatorName, replacement, location }: Mutation,
  { percent, seed }: Sample,
): boolean {
  const file = fileName.replace(/^.*\/src\//, '');
  const { line, column } = location.start;
  let hash = 2166136261;
  for (const character of [seed, file, line, column, mutatorName, replacement].join('|'))
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  // The last bits of such a hash follow the last characters too closely.
  return ((hash ^ (hash >>> 15)) >>> 0) % 10_000 < percent * 100;
}

class SampleChecker {
  static inject = tokens(commonTokens.options);
  private readonly sample: Sample;

  constructor(options: object) {
    ({ sample: this.sample } = options as { sample: Sample });
  }

  async init(): Promise<void> {}

  async check(mutants: Mutation[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.judge(mutant)]));
  }

  /** All at once. */
  async group(mutants: Mutation[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }

  private judge(mutant: Mutation): CheckResult {
    return isSampled(mutant, this.sample)
      ? { status: CheckStatus.Passed }
      : { status: CheckStatus.CompileError, reason: 'not in the sample' };
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
