import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { browserCode } from './scripts/browser-code.ts';
import { po } from './scripts/po.ts';

/** Factor for time limits: `make test-slow` sets it. */
const slower = Number(process.env['PORTOLAN_SLOWER'] || 1);
const src = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  plugins: [react(), browserCode(), po()],
  // Production React prints no warnings; tests want them.
  define: { 'process.env.NODE_ENV': JSON.stringify('test') },
  // Plugins have our components by this name, and React is the one that is here.
  resolve: {
    alias: { portolan: src('') },
    dedupe: ['react', 'react-dom', 'vitest', 'schema-dts'],
  },
  test: {
    expect: { requireAssertions: true },
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    // A process for each file takes longer than most of them. docs/testing.md lists the duties of the files.
    isolate: false,
    setupFiles: ['src/testing/fresh-modules.ts'],
    // Only for hanging tests: on a busy machine the first test of a file waits long for its imports.
    testTimeout: 20_000 * slower,
    hookTimeout: 20_000 * slower,
    css: { modules: { classNameStrategy: 'non-scoped' } },
    projects: [
      {
        extends: true,
        test: {
          name: 'react',
          include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', '../examples/*/tests/*.test.{ts,tsx}'],
        },
      },
      {
        // Islands again, with the runtime that a company may choose.
        extends: true,
        resolve: {
          alias: [
            { find: /^react$/, replacement: src('testing/preact.ts') },
            { find: /^react-dom$/, replacement: 'preact/compat' },
            { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
            { find: /^react\/jsx(-dev)?-runtime$/, replacement: 'preact/jsx-runtime' },
          ],
        },
        test: {
          name: 'preact',
          include: ['src/**/*.island.test.tsx', 'src/runtime/islands/*.test.tsx'],
          server: { deps: { inline: ['react-hook-form'] } },
        },
      },
    ],
  },
});
