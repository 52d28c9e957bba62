import '../../testing/dom.ts';
import { useEffect, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHUNK_RETRY_DELAY_MS } from '../../constants.ts';
import type { IslandComponent } from './hydrate.ts';
import { type IslandLoaders, type Islands, startIslands } from './islands.ts';

function Counter({ start }: { start: number }) {
  const [count, setCount] = useState(start);
  const [text, setText] = useState('');
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <button type="button" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <input value={text} onChange={(event) => setText(event.target.value)} />
      <output>{text}</output>
      <a href="#elsewhere">All that is elsewhere</a>
    </form>
  );
}

function Broken(): never {
  throw new Error('never draws');
}

/** Loads that the test answers when it wants. */
function deferred() {
  const { promise, resolve, reject } = Promise.withResolvers<IslandComponent>();
  return { load: vi.fn(() => promise), resolve, reject };
}

let listeners: AbortController;
beforeEach(() => {
  // What the loader hears on window must not outlive the test.
  listeners = new AbortController();
  const add = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation((type: string, listener: unknown, options: unknown) => {
    if (typeof listener !== 'function') throw new Error('listeners are functions');
    const given = typeof options === 'object' ? options : { capture: options === true };
    add(type, (event) => listener(event), { ...given, signal: listeners.signal });
  });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  listeners.abort();
  vi.useRealTimers();
  document.head.replaceChildren();
});

function showPage(
  loaders: IslandLoaders,
  names = Object.keys(loaders),
  html = renderToString(<Counter start={3} />),
  attributes = '',
): Islands {
  const islands = names.map((name) => ({ id: `the-${name}`, name, props: { start: 3 } }));
  document.body.innerHTML = [
    ...islands.map(({ id, name }) => `<div id="${id}" data-island="${name}"${attributes}>${html}</div>`),
    `<p>Text</p><script type="application/json" id="_islands">${JSON.stringify({ preload: ['/assets/react.js'], islands })}</script>`,
  ].join('');
  return startIslands(loaders);
}

function element(selector: string): HTMLElement {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`no ${selector}`);
  return found;
}

async function waitUntilAwake(selector = '[data-island]'): Promise<void> {
  await vi.waitFor(() => expect(element(selector).hasAttribute('data-awake')).toBe(true));
}

describe('an island', () => {
  it.each(['pointerover', 'focusin', 'pointerdown', 'touchstart', 'keydown', 'click'])(
    'sleeps while %s is about something else',
    (type) => {
      const { load } = deferred();
      showPage({ counter: load });
      element('p').dispatchEvent(new Event(type, { bubbles: true }));
      expect(load).not.toHaveBeenCalled();
    },
  );

  it('sleeps while another one is touched', async () => {
    const touched = deferred();
    const other = deferred();
    touched.resolve(Counter);
    showPage({ touched: touched.load, other: other.load });
    element('#the-touched button').dispatchEvent(new Event('pointerdown', { bubbles: true }));
    await waitUntilAwake('#the-touched');
    expect(other.load).not.toHaveBeenCalled();
  });

  it.each([
    ['pointerdown', 'button'],
    ['keydown', 'input'],
    ['touchstart', 'button'],
    ['pointerover', 'button'],
    ['focusin', 'input'],
  ])('wakes at %s on a %s', async (type, selector) => {
    const { load, resolve } = deferred();
    resolve(Counter);
    showPage({ counter: load });
    element(selector).dispatchEvent(new Event(type, { bubbles: true }));
    await waitUntilAwake();
    expect(load).toHaveBeenCalledOnce();
  });

  it.each(['pointerdown', 'keydown', 'touchstart', 'pointerover', 'focusin'])(
    'wakes at %s even where the page keeps it to itself',
    async (type) => {
      const { load, resolve } = deferred();
      resolve(Counter);
      showPage({ counter: load });
      element('[data-island]').addEventListener(type, (event) => event.stopPropagation());
      element('button').dispatchEvent(new Event(type, { bubbles: true }));
      await waitUntilAwake();
    },
  );

  it.each([
    ['?industry=healthcare', true],
    ['?gclid=7&service=devops', true],
    ['?colour=blue', false],
    ['', false],
  ])('that answers for the address wakes by itself at "%s": %s', async (search, wakes) => {
    const { load, resolve } = deferred();
    resolve(Counter);
    history.replaceState(null, '', `/cases${search}`);
    showPage({ counter: load }, ['counter'], undefined, ' data-wakes-for="industry service"');
    expect(load).toHaveBeenCalledTimes(wakes ? 1 : 0);
    if (wakes) await waitUntilAwake();
    history.replaceState(null, '', '/');
  });

  it('gets the clicks that came before it, each once', async () => {
    const { load, resolve } = deferred();
    showPage({ counter: load });
    const button = element('button');
    const heard = vi.fn();
    element('[data-island]').addEventListener('click', heard);
    button.click();
    button.click();
    expect([button.textContent, heard.mock.calls.length], 'nobody hears of a click that is held').toEqual(['3', 0]);
    resolve(Counter);
    await vi.waitFor(() => expect(button.textContent).toBe('5'));
    expect(heard).toHaveBeenCalledTimes(2);
    button.click();
    await vi.waitFor(() => expect(button.textContent).toBe('6'));
    expect(console.error).not.toHaveBeenCalled();
  });

  it('keeps the elements that were there, and the text typed into them', async () => {
    const { load, resolve } = deferred();
    resolve(Counter);
    showPage({ counter: load });
    const input = element('input');
    if (!(input instanceof HTMLInputElement)) throw new Error('an input');
    input.value = 'typed before';
    input.dispatchEvent(new Event('focusin', { bubbles: true }));
    await waitUntilAwake();
    expect(element('input')).toBe(input);
    await vi.waitFor(() => expect(element('output').textContent).toBe('typed before'));
    expect(input.value).toBe('typed before');
  });

  it('never holds back a link', () => {
    const { load } = deferred();
    showPage({ counter: load });
    const click = new MouseEvent('click', { bubbles: true, cancelable: true });
    element('a').dispatchEvent(click);
    expect(click.defaultPrevented).toBe(false);
  });

  it('holds a form until it can answer', async () => {
    const { load, resolve } = deferred();
    showPage({ counter: load });
    const form = element('form');
    const submit = new SubmitEvent('submit', { bubbles: true, cancelable: true });
    form.dispatchEvent(submit);
    expect(submit.defaultPrevented).toBe(true);
    const replayed = new Promise<boolean>((done) => {
      document.addEventListener('submit', (event) => done(event.defaultPrevented), { once: true });
    });
    resolve(Counter);
    expect(await replayed, 'the island has prevented it by now').toBe(true);
  });

  it('gets a click beside the fields of its form as a click: nothing is sent by it', async () => {
    const { load, resolve } = deferred();
    showPage({ counter: load });
    const heard: string[] = [];
    for (const type of ['click', 'submit']) document.addEventListener(type, () => heard.push(type), { once: true });
    element('form').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    resolve(Counter);
    await vi.waitFor(() => expect(heard).toEqual(['click']));
  });

  it('of which the page knows nothing stays as it is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    showPage({}, ['ghost']);
    element('button').click();
    await vi.advanceTimersByTimeAsync(CHUNK_RETRY_DELAY_MS + 1);
    expect(console.error).not.toHaveBeenCalled();
    expect(element('[data-island]').hasAttribute('data-failed')).toBe(false);
  });

  it('is asked for once more when its code fails, and works then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const load = vi
      .fn<() => Promise<IslandComponent>>()
      .mockRejectedValueOnce(new Error('offline'))
      .mockResolvedValue(Counter);
    showPage({ counter: load });
    element('button').click();
    await vi.advanceTimersByTimeAsync(CHUNK_RETRY_DELAY_MS + 1);
    vi.useRealTimers();
    await vi.waitFor(() => expect(element('button').textContent).toBe('4'));
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('stays as it is when its code fails twice, and lets its native parts work', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const load = vi.fn<() => Promise<IslandComponent>>().mockRejectedValue(new Error('offline'));
    showPage({ counter: load }, ['counter'], '<form><button>go</button></form>');
    const submitted = vi.fn((event: Event) => event.preventDefault());
    element('form').addEventListener('submit', submitted);
    element('button').click();
    await vi.advanceTimersByTimeAsync(CHUNK_RETRY_DELAY_MS + 1);
    expect(load).toHaveBeenCalledTimes(2);
    expect(console.error).toHaveBeenCalledOnce();
    expect(submitted, 'the held click does what the browser does with it').toHaveBeenCalledOnce();
    element('button').click();
    expect(submitted, 'nothing is held any more').toHaveBeenCalledTimes(2);
  });

  it('that breaks gives its static HTML back', async () => {
    const { load, resolve } = deferred();
    resolve(Broken);
    showPage({ counter: load });
    const before = element('[data-island]').innerHTML;
    element('button').click();
    await vi.waitFor(() => expect(console.error).toHaveBeenCalled());
    await vi.waitFor(() => expect(element('[data-island]').innerHTML).toBe(before));
  });

  it('does not wait for another one', async () => {
    const one = deferred();
    const two = deferred();
    showPage({ one: one.load, two: two.load });
    for (const island of document.querySelectorAll('[data-island]'))
      island.dispatchEvent(new Event('pointerover', { bubbles: true }));
    two.resolve(Counter);
    await waitUntilAwake('#the-two');
    expect(element('#the-one').hasAttribute('data-awake')).toBe(false);
  });
});

describe('another page', () => {
  /** Says what it was given, and tells `noted` when it begins and ends. */
  function noting(noted: string[]): IslandComponent {
    return function Noting({ name }: { name: string }) {
      useEffect(() => {
        noted.push(`${name} begins`);
        return () => void noted.push(`${name} ends`);
      }, [name]);
      return <b>{name}</b>;
    };
  }

  const put = (id: string, name: string) => {
    document.body.innerHTML = `<main><div id="${id}" data-island="note"><b>${name}</b></div></main>`;
    return { preload: [], islands: [{ id, name: 'note', props: { name } }] };
  };

  function begin(load: () => Promise<IslandComponent>): Islands {
    const page = put('a', 'one');
    document.body.insertAdjacentHTML(
      'beforeend',
      `<script type="application/json" id="_islands">${JSON.stringify(page)}</script>`,
    );
    return startIslands({ note: load });
  }

  it("ends the islands of the one before it; its own sleep until they are needed, and have its page's data", async () => {
    const noted: string[] = [];
    const load = vi.fn(async () => noting(noted));
    const islands = begin(load);
    element('b').dispatchEvent(new Event('pointerdown', { bubbles: true }));
    await waitUntilAwake();
    await vi.waitFor(() => expect(noted).toEqual(['one begins']));
    islands.renew(put('a', 'two'));
    await vi.waitFor(() => expect(noted).toEqual(['one begins', 'one ends']));
    expect(load).toHaveBeenCalledOnce();
    element('b').dispatchEvent(new Event('pointerover', { bubbles: true }));
    await vi.waitFor(() => expect(noted).toEqual(['one begins', 'one ends', 'two begins']));
    expect(console.error).not.toHaveBeenCalled();
  });

  it('leaves the islands of the frame running', async () => {
    const noted: string[] = [];
    const islands = begin(async () => noting(noted));
    islands.wake(element('#a'));
    await waitUntilAwake();
    await vi.waitFor(() => expect(noted).toEqual(['one begins']));
    islands.renew({ preload: [], islands: [] });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(noted).toEqual(['one begins']);
  });

  it('has come before the code of an island: that one never begins', async () => {
    const { load, resolve } = deferred();
    const islands = begin(load);
    const island = element('#a');
    island.dispatchEvent(new Event('pointerover', { bubbles: true }));
    islands.renew(put('b', 'two'));
    resolve(Counter);
    islands.wake(element('#b'));
    await waitUntilAwake('#b');
    expect(island.hasAttribute('data-awake')).toBe(false);
  });
});

describe('what islands need', () => {
  let observed: Set<Element>;
  let see: (isIntersecting: boolean) => void;
  beforeEach(() => {
    observed = new Set();
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
          see = (isIntersecting) => tell([{ isIntersecting }]);
        }
        observe = (element: Element) => observed.add(element);
        disconnect = () => observed.clear();
      },
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'connection');
  });

  function use(): void {
    dispatchEvent(new Event('scroll'));
  }

  function preloads(): (string | null)[] {
    return [...document.head.querySelectorAll('[rel=modulepreload]')].map((link) => link.getAttribute('href'));
  }

  it('is fetched when one is about to be seen, and not because the page was loaded', () => {
    showPage({ counter: deferred().load });
    expect(observed.size, 'nobody has shown that they are there').toBe(0);
    use();
    see(false);
    expect([preloads(), observed.size]).toEqual([[], 1]);
    see(true);
    expect([preloads(), observed.size]).toEqual([['/assets/react.js'], 0]);
  });

  it.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
    'is not fetched early with %o',
    (connection) => {
      Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
      showPage({ counter: deferred().load });
      use();
      expect(observed.size).toBe(0);
    },
  );

  it('is fetched for the page that comes, and once', () => {
    const islands = showPage({ counter: deferred().load });
    use();
    see(true);
    islands.renew({ preload: ['/assets/react.js', '/assets/map.js'], islands: [] });
    expect(observed.size).toBe(1);
    see(true);
    expect(preloads()).toEqual(['/assets/react.js', '/assets/map.js']);
  });

  it('is nothing on a page without islands', () => {
    document.body.innerHTML = '<p>Text</p>';
    startIslands({});
    use();
    expect(observed.size).toBe(0);
  });
});
