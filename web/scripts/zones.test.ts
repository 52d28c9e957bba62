import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildOverrides, FOLDERS, featureNames, folderNames } from './zones.ts';

const WEB = join(import.meta.dirname, '..');
const [FEATURE, OTHER] = featureNames();

/** Forbidden and allowed imports: the file, and its import. */
const FORBIDDEN = [
  ['src/ui/x/x.tsx', '../../features/footer/footer.tsx'],
  ['src/blocks/x/x.tsx', '../../document/page.tsx'],
  ['src/runtime/x.ts', '../entries/islands.ts'],
  ['src/contract/x.ts', '../constants.ts'],
  ['src/domain/x.ts', '../testing/render.ts'],
  [`src/features/${FEATURE}/x.tsx`, `../${OTHER}/y.tsx`],
  [`src/features/${FEATURE}/deeper/x.tsx`, `../../${OTHER}/y.tsx`],
];
const ALLOWED = [
  ['src/blocks/y/y.tsx', '../../features/offices/office-list.tsx'],
  ['src/document/y.tsx', '../blocks/blocks.tsx'],
  ['src/ui/y/y.tsx', '../x/x.tsx'],
  [`src/features/${FEATURE}/deeper/y.tsx`, '../x.tsx'],
];

/** The files of a small tree in which Biome finds a wrong import. */
function lintTree(imports: string[][]): string[] {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'zones-')));
  try {
    cpSync(join(WEB, 'biome.json'), join(tree, 'biome.json'));
    for (const [file = '', imported = ''] of imports) {
      mkdirSync(join(tree, dirname(file)), { recursive: true });
      writeFileSync(join(tree, file), `import { x } from '${imported}';\n\nexport const y = x;\n`);
    }
    const biome = join(WEB, 'node_modules/.bin/biome');
    const args = ['lint', '--only=style/noRestrictedImports', '--reporter=github', '--max-diagnostics=none'];
    const { stdout } = spawnSync(biome, args, { cwd: tree, encoding: 'utf8' });
    return [...stdout.matchAll(/title=lint\/style\/noRestrictedImports,file=([^,]+),/g)].map(([, file = '']) =>
      relative(tree, file),
    );
  } finally {
    rmSync(tree, { recursive: true });
  }
}

describe('import zones', () => {
  it('know every folder of src', () => {
    const folders: readonly string[] = FOLDERS;
    expect(folderNames().filter((name) => !folders.includes(name))).toEqual([]);
  });

  it('stand in biome.json as they are computed', () => {
    const config: { overrides: unknown[] } = JSON.parse(readFileSync(join(WEB, 'biome.json'), 'utf8'));
    const written = config.overrides.filter((override) => JSON.stringify(override).includes('noRestrictedImports'));
    expect(written, 'run `npm run zones`').toEqual(buildOverrides());
  });

  it('are what Biome holds files to', () => {
    const found = lintTree([...FORBIDDEN, ...ALLOWED]);
    expect(found.sort()).toEqual(FORBIDDEN.map(([file]) => file).sort());
  });
});
