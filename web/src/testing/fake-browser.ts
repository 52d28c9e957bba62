import { vi } from 'vitest';

interface Entry {
  key: string;
  url: string;
  /** Entries of one document have the same number. */
  document: number;
  state?: unknown;
}

type Type = NavigateEvent['navigationType'];

/** The Navigation API's data about a link or a form. */
interface Way {
  download?: boolean;
  post?: boolean;
  /** The page's scripts have changed the address, and nothing else. */
  isScripts?: boolean;
}

const ABORTED = () => new DOMException('The navigation was aborted.', 'AbortError');

class FakeNavigateEvent extends Event {
  readonly destination: { url: string; key: string; sameDocument: boolean };
  readonly downloadRequest: string | null;
  readonly formData: FormData | null;
  readonly options: NavigationInterceptOptions[] = [];
  private readonly controller = new AbortController();

  constructor(
    readonly navigationType: Type,
    destination: { url: string; key: string; sameDocument: boolean },
    readonly canIntercept: boolean,
    { download = false, post = false }: Way,
  ) {
    // Going back can be held up by a page at most once after its visitor has done something: a page cannot count on it.
    super('navigate', { cancelable: navigationType !== 'traverse' });
    this.destination = destination;
    this.downloadRequest = download ? '' : null;
    this.formData = post ? new FormData() : null;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  intercept(options: NavigationInterceptOptions = {}): void {
    if (!this.canIntercept) throw new DOMException('This navigation is not to be intercepted.', 'SecurityError');
    if (this.eventPhase === Event.NONE) throw new DOMException('The event is over.', 'InvalidStateError');
    if (options.precommitHandler && !this.cancelable)
      throw new DOMException('This navigation is committed already.', 'InvalidStateError');
    this.options.push(options);
  }

  abort(reason: unknown): void {
    this.controller.abort(reason);
  }
}

/**
 * A browser's navigation by the HTML standard ("Navigation API"). There is one navigation at a time, and a new one aborts the
 * previous one. Handlers before the commit can redirect it or make it fail; going back is committed at once.
 *
 * A navigation without a handler loads a document: it is noted in `documents`, and the page's scripts go on for the test to check.
 */
export class FakeBrowser {
  /** Addresses of the documents the browser has loaded by itself, with how. */
  readonly documents: [how: Type, url: string][] = [];
  /** The targets of scrolling: a height, or the id of an element; `focus` if the focus scrolls. */
  readonly scrolled: (number | string)[] = [];
  readonly navigation = new EventTarget();
  private history: Entry[];
  private at = 0;
  private keys = 0;
  private documentNumber = 0;
  private ongoing: FakeNavigateEvent | null = null;

  constructor(address: string) {
    this.history = [this.entry(new URL(address, window.location.href).href)];
    const open = (url: string | URL, type: Type) => void this.go(type, String(url));
    const location = {
      reload: () => void this.go('reload', this.href),
      assign: (url: string | URL) => open(url, String(url) === this.href ? 'replace' : 'push'),
      replace: (url: string | URL) => open(url, 'replace'),
    };
    for (const name of ['href', 'origin', 'pathname', 'search', 'hash'] as const)
      Object.defineProperty(location, name, { get: () => new URL(this.href)[name] });
    Object.assign(this.navigation, {
      navigate: (url: string) => this.navigate(url),
      updateCurrentEntry: ({ state }: { state: unknown }) => {
        this.history[this.at] = { ...this.current, state: structuredClone(state) };
        this.changeEntry(null);
      },
    });
    Object.defineProperty(this.navigation, 'currentEntry', {
      get: () => ({ key: this.current.key, getState: () => structuredClone(this.current.state) }),
    });
    vi.stubGlobal('NavigationPrecommitController', class {});
    vi.stubGlobal('location', location);
    vi.stubGlobal('navigation', this.navigation);
    this.fakeScrolling();
  }

  get href(): string {
    return this.current.url;
  }

  /** Path, query and hash. */
  get address(): string {
    const { pathname, search, hash } = new URL(this.href);
    return pathname + search + hash;
  }

  /** Addresses of the tab's history, oldest first. */
  get entries(): string[] {
    return this.history.map(({ url }) => url.slice(new URL(url).origin.length));
  }

  /** As a click on a link does: the same address again replaces its entry. */
  click(address: string, way?: Way): void {
    const url = new URL(address, this.href).href;
    void this.go(url === this.href ? 'replace' : 'push', url, way);
  }

  /** As `history.pushState` of the page's scripts does. */
  pushState(address: string): void {
    void this.go('push', new URL(address, this.href).href, { isScripts: true });
  }

  /** The visitor scrolls, as far as the page goes. */
  scroll(height: number): void {
    vi.stubGlobal('scrollY', height);
  }

  replace(address: string): void {
    void this.go('replace', new URL(address, this.href).href);
  }

  /** So many steps back (-1) or forth (1) in the history, in a task of its own. */
  traverse(by: number): void {
    setTimeout(() => {
      const goal = this.at + by;
      const entry = this.history[goal];
      if (!entry) throw new Error('The history is not that long.');
      void this.go('traverse', entry.url, {}, goal);
    });
  }

  private navigate(url: string): { committed: Promise<void>; finished: Promise<void> } {
    const finished = this.go(url === this.href ? 'replace' : 'push', url);
    return { committed: finished, finished };
  }

  private get current(): Entry {
    const entry = this.history[this.at];
    if (!entry) throw new Error('A tab has an entry.');
    return entry;
  }

  private entry(url: string): Entry {
    this.keys += 1;
    return { key: String(this.keys), url, document: this.documentNumber };
  }

  private async go(type: Type, url: string, way: Way = {}, goal = this.at): Promise<void> {
    const [from, to] = [new URL(this.href), new URL(url)];
    if (this.ongoing) this.fail(this.ongoing, ABORTED());
    const event = new FakeNavigateEvent(
      type,
      {
        url: to.href,
        key: type === 'traverse' ? (this.history[goal]?.key ?? '') : '',
        sameDocument: way.isScripts === true || this.staysIn(type, from, to, goal),
      },
      from.origin === to.origin,
      way,
    );
    this.ongoing = event;
    this.navigation.dispatchEvent(event);
    if (event.defaultPrevented) return this.fail(event, ABORTED());
    if (event.options.length > 0) return this.runHandlers(event, goal);
    this.ongoing = null;
    if (way.download) return;
    if (event.destination.sameDocument) this.commit(event, goal);
    else this.loadDocument(event, goal);
  }

  /** To another fragment, or to another entry of the same document. */
  private staysIn(type: Type, from: URL, to: URL, goal: number): boolean {
    if (type === 'traverse') return this.history[goal]?.document === this.current.document;
    const [here = '', there = ''] = [from, to].map(({ href }) => href.replace(/#.*$/, ''));
    return type !== 'reload' && here === there && to.href.includes('#');
  }

  private async runHandlers(event: FakeNavigateEvent, goal: number): Promise<void> {
    const controller = {
      redirect: (url: string) => {
        if (event.signal.aborted) throw new DOMException('The navigation is over.', 'InvalidStateError');
        event.destination.url = new URL(url, this.href).href;
      },
      addHandler: (handler: () => Promise<void>) => void event.options.push({ handler }),
    };
    const precommit = event.options.flatMap(({ precommitHandler }) => precommitHandler?.(controller) ?? []);
    try {
      // Without such handlers the address is another one by the time the event is over.
      if (precommit.length > 0) await Promise.all(precommit);
      if (event.signal.aborted) return;
      this.commit(event, goal);
      await Promise.all(event.options.map((each) => each.handler?.()));
      if (event.signal.aborted) return;
    } catch (reason) {
      if (!event.signal.aborted) this.fail(event, reason);
      return;
    }
    this.ongoing = null;
    this.resetFocusAndScroll(event);
    this.navigation.dispatchEvent(new Event('navigatesuccess'));
  }

  /** The browser's default, unless the page declares that it does this itself. */
  private resetFocusAndScroll({ options }: FakeNavigateEvent): void {
    if (!options.some(({ focusReset }) => focusReset === 'manual')) (document.activeElement as HTMLElement)?.blur();
    if (!options.some(({ scroll }) => scroll === 'manual')) this.scrolled.push(0);
  }

  private commit({ navigationType, destination }: FakeNavigateEvent, goal: number): void {
    if (navigationType === 'traverse') this.at = goal;
    else if (navigationType === 'push') {
      this.history = [...this.history.slice(0, this.at + 1), this.entry(destination.url)];
      this.at += 1;
    } else this.history[this.at] = { ...this.current, url: destination.url, state: undefined };
    this.changeEntry(navigationType);
  }

  private changeEntry(navigationType: Type | null): void {
    this.navigation.dispatchEvent(Object.assign(new Event('currententrychange'), { navigationType }));
  }

  private loadDocument(event: FakeNavigateEvent, goal: number): void {
    dispatchEvent(new Event('pagehide'));
    this.documents.push([
      event.navigationType,
      event.destination.url.slice(new URL(event.destination.url).origin.length),
    ]);
    this.documentNumber += 1;
    this.commit(event, goal);
    this.history[this.at] = { ...this.current, document: this.documentNumber };
  }

  private fail(event: FakeNavigateEvent, reason: unknown): void {
    this.ongoing = null;
    event.abort(reason);
    this.navigation.dispatchEvent(new ErrorEvent('navigateerror', { error: reason }));
  }

  private fakeScrolling(): void {
    const { scrolled } = this;
    vi.stubGlobal('scrollY', 0);
    vi.stubGlobal('scrollTo', ({ top, behavior }: ScrollToOptions) => {
      if (behavior !== 'instant') throw new Error('Between pages, scrolling takes no time.');
      vi.stubGlobal('scrollY', top);
      scrolled.push(top ?? 0);
    });
    Element.prototype.scrollIntoView = function (this: Element, how) {
      if (typeof how !== 'object' || how.behavior !== 'instant')
        throw new Error('Between pages, scrolling takes no time.');
      scrolled.push(this.id);
    };
    const { focus } = HTMLElement.prototype;
    vi.spyOn(HTMLElement.prototype, 'focus').mockImplementation(function (this: HTMLElement, how) {
      if (!how?.preventScroll) scrolled.push('focus');
      focus.call(this, how);
    });
  }
}
