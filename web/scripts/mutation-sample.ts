/**
 * Chooses a sample of the mutants, the same in each run. A checker plugin for Stryker: mutants outside of the sample are reported
 * as "does not compile", so the score ignores them.
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

/** Returns whether a mutant is in the sample. Depends on its change and position only, not on other files. */
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
