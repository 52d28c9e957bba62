import '../../testing/dom.ts';
import { useEffect, useId, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHUNK_RETRY_DELAY_MS } from '../../constants.ts';
import { translate } from '../../testing/translator.ts';
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

/** As React renders it when a page is published. */
const COUNTER =
  '<form><button type="button">3</button><input value=""/><output></output><a href="#elsewhere">All that is elsewhere</a></form>';

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
  // The loader's listeners on window must end with the test.
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

function showPage(loaders: IslandLoaders, names = Object.keys(loaders), html = COUNTER, attributes = ''): Islands {
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

describe('an island that uses useId', () => {
  function Named() {
    const id = useId();
    const [isMore, setMore] = useState(false);
    return (
      <form>
        <label htmlFor={id}>Name</label>
        <input id={id} aria-describedby={isMore ? `${id}-more` : undefined} />
        <button type="button" onClick={() => setMore(true)}>
          More
        </button>
        {isMore && <p id={`${id}-more`}>As in your passport</p>}
      </form>
    );
  }

  it('has ids of its own, which belong together, also in what it draws later', async () => {
    const load = async () => Named;
    showPage({ one: load, two: load });
    // As React renders it with the island's id as the prefix (src/document/markup.test.tsx).
    for (const island of document.querySelectorAll('[data-island]'))
      island.innerHTML = `<form><label for="_${island.id}R_0_">Name</label><input id="_${island.id}R_0_"/><button type="button">More</button></form>`;
    for (const island of document.querySelectorAll('[data-island]')) {
      island.querySelector('button')?.click();
      await vi.waitFor(() => expect(island.querySelector('p')).not.toBeNull());
      const [label, input, more] = ['label', 'input', 'p'].map((tag) => island.querySelector(tag));
      expect(label?.getAttribute('for')).toBe(input?.id);
      expect(input?.getAttribute('aria-describedby')).toBe(more?.id);
    }
    const ids = [...document.querySelectorAll('input, p[id]')].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
    expect(console.error).not.toHaveBeenCalled();
  });
});

describe('an island of a translated page', () => {
  function Form({ start }: { start: number }) {
    const [count, setCount] = useState(start);
    const [text, setText] = useState('');
    return (
      <form id="form" onSubmit={(event) => event.preventDefault()}>
        <input id="text" value={text} onChange={(event) => setText(event.target.value)} />
        <input type="file" />
        <p>
          You have {count} <b>things</b> {count > 4 && 'which is a lot'}
        </p>
        <button type="button" onClick={() => setCount(count + 1)}>
          One more
        </button>
        <output>{text}</output>
        {count > 5 && <i>enough</i>}
        {count < 6 && 'until six'}
      </form>
    );
  }

  const HTML =
    '<form id="form"><input id="text" value=""/><input type="file"/><p>You have <!-- -->3<!-- --> <b>things</b> </p>' +
    '<button type="button">One more</button><output></output>until six</form>';

  it('takes over what was typed, the files, the focus and the click, though it is drawn again', async () => {
    const { load, resolve } = deferred();
    resolve(Form);
    showPage({ form: load }, ['form'], HTML);
    translate(document.body);
    const [field, button] = [element('#text'), element('button')];
    const files = [new File(['a'], 'plan.pdf')];
    const given = vi.fn();
    for (const [name, value] of Object.entries({ files }))
      Object.defineProperty(element('[type=file]'), name, { value, configurable: true });
    if (!(field instanceof HTMLInputElement)) throw new Error('an input');
    document.addEventListener('change', given, { once: true });
    const hand = vi.spyOn(HTMLInputElement.prototype, 'files', 'set').mockImplementation(() => {});
    field.focus();
    field.value = 'typed before';
    field.setSelectionRange(2, 4);
    button.querySelector('font')?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    await waitUntilAwake();
    const now = element('#text');
    if (!(now instanceof HTMLInputElement)) throw new Error('an input');
    await vi.waitFor(() => expect(element('output').textContent).toBe('typed before'));
    expect([now.value, now.selectionStart, now.selectionEnd]).toEqual(['typed before', 2, 4]);
    expect(document.activeElement).toBe(now);
    expect([hand.mock.calls, given.mock.calls.length]).toEqual([[[files]], 1]);
    await vi.waitFor(() => expect(element('p').textContent).toMatch(/^You have 4 things/));
    expect(console.error).not.toHaveBeenCalled();
  });

  it('is not drawn again while an element of it is pressed', async () => {
    const { load, resolve } = deferred();
    resolve(Form);
    showPage({ form: load }, ['form'], HTML);
    translate(document.body);
    const [island, button] = [element('[data-island]'), element('button')];
    let pressed: Element | null = button;
    const looks = vi.spyOn(island, 'querySelector').mockImplementation(() => pressed);
    button.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(2));
    expect(button.isConnected).toBe(true);
    expect(island.hasAttribute('data-awake')).toBe(false);
    pressed = null;
    await waitUntilAwake();
  });

  it('goes on though a translator takes its texts away again and again', async () => {
    const { load, resolve } = deferred();
    resolve(Form);
    showPage({ form: load }, ['form'], HTML);
    element('#text').dispatchEvent(new Event('focusin', { bubbles: true }));
    await waitUntilAwake();
    for (let clicks = 1; clicks <= 4; clicks++) {
      translate(document.body);
      element('button').click();
      await vi.waitFor(() => expect(document.querySelector('i') !== null).toBe(clicks > 2));
      expect(element('[data-island]').hasAttribute('data-awake')).toBe(true);
    }
    expect(console.error).not.toHaveBeenCalled();
  });
});

describe('another page', () => {
  /** Shows its props, and notes in `noted` when it begins and ends. */
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
    await new Promise((resolve) => setImmediate(resolve));
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
