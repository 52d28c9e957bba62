/**
 * `npm run build`: builds the browser's files with React and with Preact, then the render worker, then the publisher's data.
 *
 *     dist/client/assets/*          all files for visitors, names with a hash
 *     dist/client/service-worker.js served as /sw.js, next to service-worker-off.js
 *     dist/server/render-worker.js  the worker in one file, next to assets.json
 *     dist/server/*                 fonts for sharing pictures, and Skia in node_modules/
 *     dist/interface-texts.json     texts of the pages, for the studio
 *     dist/web-build.json           hash over all files, files by URL, sizes in the browser, differences with Preact
 *
 * The worker's build writes the stylesheet and fonts, because it imports every block.
 */
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';

import { fileURLToPath } from 'node:url';
import { build, createBuilder } from 'vite';
import constants from '../../contract/constants.json' with { type: 'json' };
import type { Assets } from '../src/document/assets.ts';
import { EARLY_FONTS } from '../src/document/fonts.ts';
import { NO_BRAND } from '../src/rendering/brand.ts';
import { findParts } from './browser-code.ts';
import { copyDrawing, drawingDigest } from './drawing.ts';
import { copyHyphens } from './hyphens.ts';
import { listInterfaceTexts } from './interface-texts.ts';
import { checkLayers } from './layers.ts';
import { Packages } from './packages.ts';
import { listScripts, type Manifest } from './page-code.ts';
import { readFontStacks, readPalette, readTokens } from './palette.ts';
import { copyPartytown } from './partytown.ts';
import { checkBudget, measureWeight } from './weight.ts';

/** Built next to the old build and moved when complete, because a publisher may be using the old build. */
const FINAL = new URL('../dist', import.meta.url);
const DIST = new URL(`../dist-${process.pid}/`, import.meta.url);
const SERVICE_WORKERS = { on: 'service-worker', off: 'service-worker-off' };

const packages = new Packages();
await mkdir(DIST, { recursive: true });
process.on('exit', () => rmSync(DIST, { recursive: true, force: true }));
const builder = await createBuilder({
  configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
  environments: {
    client: { build: outDir('client') },
    preact: { build: outDir('preact') },
    ssr: { build: outDir('server') },
  },
  plugins: [packages.note('browser'), packages.note('rendering')],
  worker: { plugins: () => [packages.note('browser')] },
  logLevel: 'warn',
});
for (const name of ['client', 'preact', 'ssr']) {
  const environment = builder.environments[name];
  if (!environment) throw new Error(`vite.config.ts has no environment "${name}"`);
  await builder.build(environment);
}

const stylesheets = (await readdir(new URL('client/assets/', DIST))).filter((name) => name.endsWith('.css'));
for (const name of stylesheets) await rm(new URL(`client/assets/${name}`, DIST));
await cp(new URL('server/assets/', DIST), new URL('client/assets/', DIST), { recursive: true });
await rm(new URL('server/assets/', DIST), { recursive: true });

const withPreact = (await readdir(new URL('preact/assets/', DIST))).filter((name) => name.endsWith('.js')).sort();
const withReact = (await readdir(new URL('client/assets/', DIST))).filter((name) => name.endsWith('.js'));
// The same name is the same file: it has a hash.
for (const name of withPreact)
  await rename(new URL(`preact/assets/${name}`, DIST), new URL(`client/assets/${name}`, DIST));

const partytown = await copyPartytown(new URL('client/', DIST));

const parts = await findParts();
const react = listScripts(await readManifest('client'), parts);
const preact = listScripts(await readManifest('preact'), parts);
const entries = await readdir(new URL('client/assets/', DIST), { withFileTypes: true });
const names = entries
  .filter((entry) => entry.isFile())
  .map(({ name }) => name)
  .sort();
const files: Omit<Assets, 'build'> = {
  script: react.script,
  visitor: await inlineScript('visitor'),
  stylesheet: `/assets/${only((name) => name.endsWith('.css'), 'a stylesheet')}`,
  fonts: {
    latin: EARLY_FONTS.latin.map(fontUrl),
    latinExtended: EARLY_FONTS.latinExtended.map(fontUrl),
    cyrillic: EARLY_FONTS.cyrillic.map(fontUrl),
    arabic: EARLY_FONTS.arabic.map(fontUrl),
  },
  islands: react.islands,
  brand: NO_BRAND,
  palette: readPalette(readTokens('colour')),
};
const serviceWorkers: Record<string, string> = {};
for (const [state, name] of Object.entries(SERVICE_WORKERS)) {
  serviceWorkers[state] = `client/${name}.js`;
  await writeFile(new URL(serviceWorkers[state], DIST), await classicScript(name));
}
for (const folder of ['client', 'server']) await rm(new URL(`${folder}/manifest.json`, DIST), { force: true });
await rm(new URL('preact/', DIST), { recursive: true });
await copyHyphens(new URL('server/', DIST));
const assets: Assets = { build: await hashFolder(DIST, JSON.stringify(files)), ...files };
await writeFile(new URL('server/assets.json', DIST), JSON.stringify(assets, null, 1));

checkLayers(await readFile(new URL(`client${assets.stylesheet}`, DIST), 'utf8'));
const weight = await measureWeight(DIST, assets, { react, preact });
const others = [...names.filter((name) => !name.endsWith('.js')).map((name) => `assets/${name}`), ...partytown];
const inlineScripts = [policyHash(assets.visitor)];
await copyDrawing(new URL('server/', DIST));
const drawing = await drawingDigest();
const interfaceTexts = listInterfaceTexts();
await writeFile(new URL('interface-texts.json', DIST), JSON.stringify(interfaceTexts));
const webBuild = {
  protocol: constants.renderProtocol,
  hash: assets.build,
  drawing,
  files: filesOf(withReact),
  inlineScripts,
  serviceWorkers,
  fontStacks: readFontStacks(readTokens('type')),
  scripts: react.codes,
  preact: { script: preact.script, islands: preact.islands, scripts: preact.codes, files: filesOf(withPreact) },
  budget: weight,
  frameTexts: interfaceTexts.frame,
  packages: packages.list(),
};
await writeFile(new URL('web-build.json', DIST), JSON.stringify(webBuild, null, 1));
checkBudget(weight, existsSync(new URL('../src/blocks/plugins', import.meta.url)));

const old = `${fileURLToPath(DIST).slice(0, -1)}-old`;
await rename(FINAL, old).catch(() => {});
await rename(DIST, FINAL);
await rm(old, { recursive: true, force: true });

/** Builds one entry as an inline script of the page. */
async function inlineScript(name: string): Promise<string> {
  const code = await classicScript(name);
  if (/<\/script|<!--/i.test(code)) throw new Error(`${name} would end the script element it stands in.`);
  return code;
}

/** One entry with all it imports, as a script that is no module. */
async function classicScript(name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [packages.note('browser')],
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL(`../src/entries/${name}.ts`, import.meta.url)),
        output: { format: 'iife' },
      },
    },
  });
  const outputs = 'output' in result ? result.output : [];
  const [chunk, ...more] = outputs;
  if (chunk?.type !== 'chunk' || more.length > 0) throw new Error(`${name} should be one file without assets.`);
  return chunk.code.trim();
}

/** As Content-Security-Policy names an inline script. */
function policyHash(code: string): string {
  return `sha256-${createHash('sha256').update(code).digest('base64')}`;
}

function outDir(folder: string) {
  return { outDir: fileURLToPath(new URL(folder, DIST)), emptyOutDir: true };
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(new URL(`${folder}/manifest.json`, DIST), 'utf8'));
}

/** Files by URL: these scripts, and the files that are the same with React and with Preact. */
function filesOf(scripts: string[]): Record<string, string> {
  const paths = [...scripts.map((name) => `assets/${name}`), ...others];
  return Object.fromEntries(paths.sort().map((path) => [`/${path}`, `client/${path}`]));
}

function only(test: (name: string) => boolean, what: string): string {
  const [found, ...more] = names.filter(test);
  if (found === undefined || more.length > 0)
    throw new Error(`The build should have ${what} exactly once, and has ${found} ${more}.`);
  return found;
}

function fontUrl(beginning: string): string {
  return `/assets/${only((name) => name.startsWith(`${beginning}-`), `the font ${beginning}`)}`;
}

/** Over the names and contents of all files, and `more` that will be one of them. */
async function hashFolder(folder: URL, more: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
  const hash = createHash('sha256').update(more);
  for (const path of paths.sort()) {
    hash
      .update(path.slice(folder.pathname.length))
      .update('\0')
      .update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 32);
}
