/**
 * Partytown's files, for sites with scripts that run in a worker (docs/decisions/0015): served as they are, under a path that
 * names their version. No page loads any of them unless its site has such a script.
 *
 * Taken are the files its authors call `debug`: those start the worker from a file, which the edge can give a policy of its own.
 * The others start it from a blob, which would inherit its page's policy, so that pages would have to allow `unsafe-eval`.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { PARTYTOWN_FOLDER } from '../src/constants.ts';

const PACKAGE = new URL('../node_modules/@qwik.dev/partytown/', import.meta.url);

const FILES = [
  'partytown-sw.js',
  'partytown-sandbox-sw.js',
  'partytown-sandbox-sw.html',
  'partytown-ww-sw.js',
  'partytown-media.js',
];

/**
 * Partytown's service worker would answer with a sandbox of its own making, a document without any policy. So that request is kept
 * from it, and the edge answers.
 */
const SERVICE_WORKER = `self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname.endsWith('.html')) event.stopImmediatePropagation();
});
importScripts('./partytown-sw.js');
`;

/** Copies them below `client`. Returns their paths there. */
export async function copyPartytown(client: URL): Promise<string[]> {
  const { version } = JSON.parse(await readFile(new URL('package.json', PACKAGE), 'utf8'));
  if (!PARTYTOWN_FOLDER.startsWith(`/assets/partytown-${version}-`))
    throw new Error(
      `Partytown is at ${version}: write that into PARTYTOWN_FOLDER in src/constants.ts, so that browsers fetch its files anew.`,
    );
  const folder = PARTYTOWN_FOLDER.slice(1);
  await mkdir(new URL(`${folder}debug/`, client), { recursive: true });
  await cp(new URL('lib/partytown.js', PACKAGE), new URL(`${folder}partytown.js`, client));
  for (const name of FILES) await cp(new URL(`lib/debug/${name}`, PACKAGE), new URL(`${folder}debug/${name}`, client));
  await writeFile(new URL(`${folder}debug/service-worker.js`, client), SERVICE_WORKER);
  return [`${folder}partytown.js`, ...[...FILES, 'service-worker.js'].map((name) => `${folder}debug/${name}`)];
}
