/**
 * Import zones: each folder of `src` imports only from those above it, and a feature never from another feature.
 *
 * `npm run zones` writes the rules into biome.json; `scripts/zones.test.ts` fails while a folder or a feature is missing there.
 */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

/** From least to most dependent. A file next to the folders is named as a file. */
export const FOLDERS = [
  'contract',
  'constants.ts',
  'tokens',
  'domain',
  'lib',
  'locales',
  'rendering',
  'runtime',
  'ui',
  'features',
  'blocks',
  'layouts',
  'document',
  'publishing',
  'entries',
] as const;

/** Fixtures and checks of the tests: they may import anything, and nothing may import them. */
export const TESTING = 'testing';

const SRC = new URL('../src/', import.meta.url);
const BIOME = new URL('../biome.json', import.meta.url);

export function folderNames(): string[] {
  return readdirSync(SRC).filter((name) => name !== TESTING && !name.startsWith('.'));
}

export function featureNames(): string[] {
  return readdirSync(new URL('features/', SRC));
}

function patterns(names: readonly string[], message: string) {
  const group = names.flatMap((name) => (name.endsWith('.ts') ? [`**/${name}`] : [`../**/${name}/**`]));
  return { group, message };
}

/** The `overrides` of biome.json. A later override replaces an earlier one, so each says all that is forbidden. */
export function buildOverrides() {
  const zones = FOLDERS.map((folder, index) => {
    const above = [...FOLDERS.slice(index + 1), TESTING];
    const includes = folder.endsWith('.ts')
      ? [`src/${folder}`]
      : [`src/${folder}/**`, '!src/**/*.test.ts', '!src/**/*.test.tsx'];
    return rule(includes, [patterns(above, `${folder} imports only from the folders above it: see scripts/zones.ts`)]);
  });
  const later = FOLDERS.slice(FOLDERS.indexOf('features') + 1);
  const features = featureNames().map((feature) =>
    rule(
      [`src/features/${feature}/**`, '!src/**/*.test.ts', '!src/**/*.test.tsx'],
      [
        patterns([...later, TESTING], 'features imports only from the folders above it: see scripts/zones.ts'),
        patterns(
          featureNames().filter((name) => name !== feature),
          'a feature never imports another feature',
        ),
      ],
    ),
  );
  return [...zones, ...features];
}

function rule(includes: string[], found: { group: string[]; message: string }[]) {
  const noRestrictedImports = { level: 'error', options: { patterns: found } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const config: { overrides: unknown[] } = JSON.parse(await readFile(BIOME, 'utf8'));
  const others = config.overrides.filter((override) => !JSON.stringify(override).includes('noRestrictedImports'));
  config.overrides = [...others, ...buildOverrides()];
  await writeFile(BIOME, `${JSON.stringify(config, null, 2)}\n`);
  console.log(`wrote ${buildOverrides().length} import zones into web/biome.json; \`npm run format\` lays it out`);
}
