import '../../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run as orderEvents } from './order-events.part.ts';

let fetched: ReturnType<typeof vi.fn<(path: string, init: RequestInit) => Promise<Response>>>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') });
  document.documentElement.dataset['country'] = 'ae';
  fetched = vi.fn(async () => Response.json({ items: [{ id: 'c' }, { id: 'x' }, { id: 'a' }] }));
  vi.stubGlobal('fetch', fetched);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Events a, b, c and d, in this order, all to come but those in `past`, of which the later ones were later. */
function showList(past: string[] = []): HTMLElement {
  const rows = ['a', 'b', 'c', 'd'].map(
    (id, index) =>
      `<li data-id="${id}" data-end="${past.includes(id) ? `2026-11-1${index}` : '2026-11-21'}"><a href="#${id}">${id}</a></li>`,
  );
  document.body.innerHTML = `<ul>${rows.join('')}</ul>`;
  const [list] = document.getElementsByTagName('ul');
  if (!list) throw new Error('there is a list');
  return list;
}

describe('the list of events', () => {
  it('is put into the order of the visitor’s country; what the answer does not name stays behind', async () => {
    const list = showList();
    await orderEvents(list);
    expect(list.textContent).toBe('cabd');
    const [path, init] = fetched.mock.calls[0] ?? [];
    expect(path).toBe('/api/content/events');
    expect(new Headers(init?.headers).get('Country-Code')).toBe('ae');
  });

  it('fades while rows change places before the visitor’s eyes, and is back after that', async () => {
    const list = showList();
    vi.spyOn(list, 'getBoundingClientRect').mockReturnValue(DOMRect.fromRect({ y: 100, height: 400 }));
    const faded = vi.spyOn(list, 'append');
    faded.mockImplementation((...rows) => {
      expect(list.hasAttribute('data-changing'), 'while they change').toBe(true);
      for (const row of rows) if (row instanceof Node) list.appendChild(row);
    });
    await orderEvents(list);
    expect(list.textContent).toBe('cabd');
    await vi.waitFor(() => expect(list.hasAttribute('data-changing')).toBe(false));
  });

  it.each([
    { limit: 2, past: [], shown: 'ca' },
    { limit: 2, past: ['a', 'c'], shown: 'bd' },
    { limit: 2, past: ['a', 'b', 'd'], shown: 'c' },
    { limit: 2, past: ['a', 'b', 'c', 'd'], shown: 'dc' },
    { limit: 9, past: ['a'], shown: 'cbd' },
  ])(
    'with a limit of $limit shows the next ones, and what is past ($past) only where nothing is to come',
    async ({ limit, past, shown }) => {
      const list = showList(past);
      list.dataset['limit'] = String(limit);
      await orderEvents(list);
      const rows = [...list.children].filter((row) => row instanceof HTMLElement && !row.hidden);
      expect(rows.map((row) => row.textContent).join('')).toBe(shown);
    },
  );

  it('stays where the country is unknown, and asks nobody', async () => {
    document.documentElement.dataset['country'] = '';
    const list = showList();
    await orderEvents(list);
    expect(list.textContent).toBe('abcd');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('ends with what is over, the latest first; today is not over', async () => {
    const list = showList(['a', 'b']);
    await orderEvents(list);
    expect(list.textContent).toBe('cdba');
    expect([...list.querySelectorAll('[data-past]')].map((row) => row.textContent)).toEqual(['b', 'a']);
  });

  it('leaves what was over when the page was published behind what is over since then', async () => {
    const list = showList(['a']);
    for (const [id, end] of [
      ['c', '2026-11-09'],
      ['d', '2026-11-21'],
    ] as const) {
      const row = list.querySelector<HTMLElement>(`[data-id=${id}]`);
      row?.setAttribute('data-past', '');
      row?.setAttribute('data-end', end);
    }
    await orderEvents(list);
    expect(list.textContent).toBe('bdac');
  });

  it('ends with what is over where the country is unknown or the API fails, too', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    fetched.mockImplementation(async () => new Response('', { status: 503 }));
    const list = showList(['a']);
    await orderEvents(list);
    expect(list.textContent).toBe('bcda');
    expect(error).toHaveBeenCalledOnce();
  });

  it('stays under the hands of a visitor who is in it', async () => {
    const list = showList();
    list.querySelector('a')?.focus();
    await orderEvents(list);
    expect(list.textContent).toBe('abcd');
  });

  it('touches nothing where the order is right', async () => {
    fetched.mockImplementation(async () => Response.json({ items: [{ id: 'a' }, { id: 'b' }] }));
    const list = showList();
    const moved = vi.spyOn(list, 'append');
    await orderEvents(list);
    expect(moved).not.toHaveBeenCalled();
  });
});
