/**
 * Detects a new build of the site while a page is open (spec §8; decisions: Page runtime). Pages never wait for these requests,
 * because each page has the number of its build.
 */
import { readBuild } from '../../domain/page-loading.ts';
import { requestUntil } from '../../lib/request-json.ts';
import { readSession, writeSession } from '../../lib/storage.ts';
import { isTyping } from '../islands/typing.ts';

const APP_DATA = '/page-data/app-data.json';
const RELOADED_FROM = 'buildMismatchReload';

let isOutdated = false;

/** Whether the next page should be loaded as a document. */
export function isBuildOutdated(): boolean {
  return isOutdated;
}

/** Asks which build is live. Tells whether there was an answer: without one, all is as it was. */
export async function checkBuild(): Promise<boolean> {
  const build = readBuild(await requestUntil(APP_DATA, ({ status }) => status === 200));
  if (build === '') return false;
  isOutdated = build !== ownBuild();
  return true;
}

/**
 * A cached document of an old build may miss files; one whose styles failed certainly does. It is loaded once more, and never
 * twice for one build. A visitor who has begun to type keeps the page.
 */
export async function checkDocument(): Promise<void> {
  const isOnline = await checkBuild();
  if (!isOnline || (!isOutdated && hasStyles()) || isTyping() || readSession(RELOADED_FROM) === ownBuild()) return;
  writeSession(RELOADED_FROM, ownBuild());
  if (readSession(RELOADED_FROM) !== ownBuild()) return; // storage is blocked, so the attempt could not be remembered
  forgetCachedPages();
  location.reload();
}

/** The service worker's copies of pages are of that build too. */
function forgetCachedPages(): void {
  navigator.serviceWorker?.controller?.postMessage({ type: 'forget-pages' });
}

/** A failed stylesheet is in the list all the same: empty, or with unreadable rules. */
function hasStyles(): boolean {
  const own = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet][href^="/"]');
  try {
    return [...own].every(({ sheet }) => sheet?.cssRules.length);
  } catch {
    return false;
  }
}

function ownBuild(): string {
  return document.documentElement.dataset['build'] ?? '';
}
