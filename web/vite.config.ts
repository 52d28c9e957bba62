/** Three builds of one source: the browser's files with React, the same with Preact, and the render worker. `scripts/build.ts` runs them. */
import { fileURLToPath } from 'node:url';
import globalData from '@csstools/postcss-global-data';
import react from '@vitejs/plugin-react';
import customMedia from 'postcss-custom-media';
import { type BuildEnvironmentOptions, defineConfig, type Plugin } from 'vite';
import { browserCode } from './scripts/browser-code.ts';
import { classNames } from './scripts/class-names.ts';
import { fonts } from './scripts/fonts.ts';
import { layers } from './scripts/layers.ts';
import { po } from './scripts/po.ts';

/**
 * Removes Vite's helper around each `import()`, for stylesheets and preloads of chunks: 0.6 kB of the 3 before load. Our chunks
 * have neither, so the plain `import()` is enough. If Vite changes the helper's form, its call stays.
 */
const WRAPPED_IMPORT =
  /__vitePreload\(async \(\) => \{\s*const \{[^{}]*\} = await (import\([^()]*\)(?:\.then\([^;]*\))?);\s*return \{[^{}]*\};\s*\}, \w+\)/g;

const NO_PRELOAD_HELPER: Plugin = {
  name: 'no-preload-helper',
  enforce: 'pre',
  renderChunk: (code) => code.replace(WRAPPED_IMPORT, '$1'),
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
};

/** Replacements for React in the environment `preact`: docs/decisions/0008. */
const FOR_PREACT: Record<string, string> = {
  react: fileURLToPath(new URL('src/runtime/islands/preact.ts', import.meta.url)),
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
};

const PREACT: Plugin = {
  name: 'preact-in-place-of-react',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'preact',
  resolveId(source, importer) {
    const other = FOR_PREACT[source];
    return other ? this.resolve(other, importer) : null;
  },
};

/** Who reads from the API needs both: one request. */
const API = /src\/lib\/api-(call|client)\.ts$/;
/** The page runtime and islands need both. */
const RUNTIME = /src\/lib\/(storage|trust-policy|trusted)\.ts$/;
const REACT = /node_modules\/(preact|react|react-dom|scheduler)\/|islands\/preact\.ts$/;

/** The browser's files: the loader, and the chunks that it imports when they are needed. */
const BROWSER: BuildEnvironmentOptions = {
  manifest: 'manifest.json',
  // A chunk's dependencies are few and small: the browser finds them by itself.
  modulePreload: false,
  rolldownOptions: {
    input: { browser: 'src/entries/browser.ts' },
    // A number of `constants.ts` goes where it is used; the loader would carry those of all chunks.
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    output: {
      entryFileNames: 'assets/[name]-[hash].js',
      chunkFileNames: ({ name }) => `assets/${name.replace(/\.(part|island)$/, '')}-[hash].js`,
      assetFileNames: 'assets/[name]-[hash][extname]',
      codeSplitting: {
        groups: [
          { name: 'react', test: REACT },
          { name: 'api', test: API },
          { name: 'storage', test: RUNTIME },
        ],
      },
    },
  },
};

export default defineConfig(({ command }) => ({
  appType: 'custom',
  clearScreen: false,
  publicDir: false,
  plugins: [PREACT, react(), browserCode(), po(), fonts(), NO_PRELOAD_HELPER],
  // The worker is Node's, yet it is built for production: React's development half is three times the size.
  // Where plugins have our components from.
  resolve: { alias: { portolan: fileURLToPath(new URL('src', import.meta.url)) } },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  css: {
    modules: command === 'build' ? { generateScopedName: classNames() } : {},
    postcss: { plugins: [globalData({ files: ['src/tokens/media.css'] }), customMedia(), layers()] },
  },
  build: { target: 'es2022', cssCodeSplit: false, reportCompressedSize: false, assetsInlineLimit: 0 },
  environments: {
    client: { build: BROWSER },
    // The browser's files once more, for companies that choose Preact (`islands` in sites.toml).
    preact: { consumer: 'client', build: BROWSER },
    ssr: {
      // One file with all packages in it, so the publisher runs it as it is. `scripts/build.ts` adds files for some
      // processes: Skia, which is native code, and patterns of hyphenation.
      resolve: { noExternal: true, external: ['@napi-rs/canvas'] },
      build: {
        ssr: true,
        manifest: 'manifest.json',
        emitAssets: true,
        // Readable stacks; visitors never download it.
        minify: false,
        rolldownOptions: {
          input: { 'render-worker': 'src/entries/render-worker.ts' },
          output: {
            entryFileNames: '[name].js',
            assetFileNames: 'assets/[name]-[hash][extname]',
            codeSplitting: false,
          },
        },
      },
    },
  },
}));
