import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { browserCode } from './scripts/browser-code.ts';
import { po } from './scripts/po.ts';

export default defineConfig({
  plugins: [react(), browserCode(), po()],
  // Production React prints no warnings; tests want them.
  define: { 'process.env.NODE_ENV': JSON.stringify('test') },
  // Plugins have our components by this name, and React is the one that is here.
  resolve: {
    alias: { portolan: fileURLToPath(new URL('src', import.meta.url)) },
    dedupe: ['react', 'react-dom', 'vitest', 'schema-dts'],
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', '../examples/*/tests/*.test.{ts,tsx}'],
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    // A process for each file takes longer than most of them; what this leaves to them: docs/testing.md.
    isolate: false,
    setupFiles: ['src/testing/fresh-modules.ts'],
    // Only for what hangs: on a busy machine the first test of a file waits long for its imports.
    testTimeout: 20_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
});
