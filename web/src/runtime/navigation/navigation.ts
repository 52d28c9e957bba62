/**
 * Follows links without loading documents (spec §4 Page loading), by the browser's Navigation API. Links load
 * documents in browsers that lack this API, or cannot delay the new address until the page is there.
 *
 * A page is loaded before the browser commits to its address: after a failure, visitor and address stay where they were. Going
 * back or forth is committed at once, so a page that cannot be shown there is loaded as a document.
 *
 * A visible page is a view. Several entries of the history may belong to one view: hashes, and the address changes of a filter.
 * Between these, the browser itself goes back.
 */
import { isPageChange } from '../../domain/page-change.ts';
import { announceRoute } from '../../lib/route-change.ts';
import { startTyping } from '../islands/typing.ts';
import type { RunningPage } from '../parts/page.ts';
import { say } from './announcer.ts';
import { checkBuild, checkDocument, isBuildOutdated } from './build-check.ts';
import { changeView } from './change-view.ts';
import { hideLoadAlert, showLoadAlert } from './load-alert.ts';
import { startLoading, stopLoading } from './loading-bar.ts';
import { canShowInPlace, isLoaded, type Loaded, loadPage } from './page-loader.ts';
import { currentKey, keepScroll, readPathScroll, readScroll } from './scroll-memory.ts';
import { findMain, showPage } from './show-page.ts';

type Shown = Extract<Loaded, { page: unknown }>;

/** The address the browser is to load by itself, as a document. */
let asDocument: string | null = null;

/** The page in the document: in the middle of going back, the address is another one already. */
let shownPath = location.pathname;
/** The history entry it stands for. */
let shownEntry = '';
/** Its number. The page that came with the document is the first. */
let view = 0;
let lastView = 0;

/** By the key of a history entry: its view. Entries that are missing belong to the first. */
const views = new Map<string, number>();

export function startNavigation(running: RunningPage): void {
  startTyping();
  shownEntry = currentKey();
  addEventListener('pagehide', () => keepScroll(shownEntry, shownPath));
  void checkDocument();
  if (!canShowInPlace()) return;
  let isTakenOver = false;
  navigation.addEventListener('navigate', (event) => {
    isTakenOver = isOurs(event);
    if (isTakenOver) takeOver(event, running);
  });
  navigation.addEventListener('currententrychange', ({ navigationType }) => {
    if (!isTakenOver && navigationType !== null) moveWithinView();
  });
}

function isOurs(event: NavigateEvent): boolean {
  const { navigationType: type, destination } = event;
  const { href, origin, pathname } = new URL(destination.url);
  const isBack = type === 'traverse';
  // Going back within this document always needs us: the browser alone would change only the address.
  if (href === asDocument || (isBuildOutdated() && !isBack)) return false;
  const { sameDocument, key } = destination;
  return isPageChange({
    canIntercept: event.canIntercept,
    sameDocument,
    sameView: sameDocument && viewOf(isBack ? key : currentKey()) === view,
    type,
    carriesMore: event.downloadRequest !== null || event.formData !== null,
    origin,
    pathname,
    from: location.origin,
  });
}

function viewOf(entry: string): number {
  return views.get(entry) ?? 0;
}

/** The browser has gone to another entry of the page that is shown. */
function moveWithinView(): void {
  keepScroll(shownEntry, shownPath);
  shownEntry = currentKey();
  views.set(shownEntry, view);
}

function takeOver(event: NavigateEvent, running: RunningPage): void {
  const url = new URL(event.destination.url);
  const isBack = event.navigationType === 'traverse';
  hideLoadAlert();
  startLoading();
  let shown: Shown | undefined;

  /** Gives the page to show, or nothing where something else has been done. */
  async function load(): Promise<Shown | undefined> {
    if (!isLoaded(url.pathname)) void checkBuild();
    const loaded: Loaded = isBuildOutdated() ? { kind: 'document' } : await loadPage(url.pathname);
    if (event.signal.aborted) return undefined;
    if ('page' in loaded) return loaded;
    stopLoading();
    if (loaded.kind === 'document') openDocument(url, event.navigationType === 'replace');
    else
      showLoadAlert(
        url.href,
        () => navigation.navigate(url.href),
        () => openDocument(url, false),
      );
    return undefined;
  }

  event.signal.addEventListener('abort', stopLoading);
  event.intercept({
    scroll: 'manual',
    focusReset: 'manual',
    ...(isBack
      ? {}
      : {
          async precommitHandler(controller) {
            shown = await load();
            if (!shown) throw new DOMException('Another way was taken.', 'AbortError');
            const address = canonicalAddress(url, shown);
            if (address !== url.href) controller.redirect(address);
          },
        }),
    async handler() {
      shown ??= await load();
      if (!shown) return;
      stopLoading();
      await show(shown, event, running);
    },
  });
}

/** Lets the browser load the document at `url`, with its query and hash; reloads if it is the present one. */
function openDocument(url: URL, replaces: boolean): void {
  asDocument = url.href;
  if (url.href === location.href) location.reload();
  else if (replaces) location.replace(url);
  else location.assign(url);
}

/** A page has one address; query and hash are the visitor's. */
function canonicalAddress({ origin, search, hash, pathname }: URL, { kind, page }: Shown): string {
  return `${origin}${kind === 'page' ? page.path : pathname}${search}${hash}`;
}

async function show({ page }: Shown, event: NavigateEvent, running: RunningPage): Promise<void> {
  const isBack = event.navigationType === 'traverse';
  const way = { link: event.sourceElement, from: shownPath, isBack };
  const [leftEntry, leftPath] = [shownEntry, shownPath];
  shownEntry = currentKey();
  shownPath = location.pathname;
  if (!isBack) lastView += 1;
  view = isBack ? viewOf(shownEntry) : lastView;
  views.set(shownEntry, view);
  const place = isBack ? readScroll(shownEntry) : null;
  await changeView(() => {
    keepScroll(leftEntry, leftPath); // the reader may have scrolled on while the page was on its way
    showPage(page);
    running.renew(page);
    scrollToPlace(place, isBack);
  }, way);
  const main = findMain();
  const target = (place === null && findTarget()) || main;
  if (target.tabIndex < 0) target.tabIndex = -1; // else it could not have the focus
  target.focus({ preventScroll: true });
  const announcement = document.querySelector<HTMLElement>('[data-announcer]')?.dataset['arrived'] ?? '';
  const title = main.querySelector('h1')?.textContent.replaceAll('\u00ad', '') || page.head.title;
  say(announcement.replace('{title}', () => title)); // to the letter: a title may have a `$`
  announceRoute({ path: location.pathname, title: page.head.title });
}

/**
 * Scrolls to the reader's position in this entry of the history. For a new entry, scrolls to the element of its hash; on the way
 * back, to the position at which the page was left. At once: scrolling is smooth only within a page.
 */
function scrollToPlace(place: number | null, isBack: boolean): void {
  const behavior = 'instant';
  const target = place === null ? findTarget() : null;
  if (target) target.scrollIntoView({ behavior });
  else scrollTo({ top: place ?? ((isBack && readPathScroll(location.pathname)) || 0), behavior });
}

/** Returns the element of the address's hash. A malformed hash (`#50%`) has none. */
function findTarget(): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}
