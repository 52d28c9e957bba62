import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { run as countView } from './count-view.part.ts';

/** The requests to the API, as `METHOD path`. */
let asked: string[];
let replies: Record<string, unknown>;
let element: HTMLElement;

beforeEach(() => {
  sessionStorage.clear();
  asked = [];
  replies = {
    'PUT /api/integration/articles/views/7': { id: '7', views: 1204 },
    'GET /api/integration/articles/views': {
      items: [
        { id: '6', views: 1 },
        { id: '7', views: 1205 },
      ],
    },
    'GET /api/integration/articles/blueprints/views/7': { id: '7', views: 1206 },
  };
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    asked.push(`${method} ${path}`);
    const reply = replies[`${method} ${path}`];
    return reply ? Response.json(reply) : new Response('{"code":"unknown-article"}', { status: 404 });
  });
  element = open('article');
});

function open(family: string): HTMLElement {
  document.body.innerHTML = `<p data-article="7" data-family="${family}" data-group="."><span data-count=""></span></p>`;
  const [found] = document.getElementsByTagName('p');
  if (!found) throw new Error('there is a paragraph');
  return found;
}

function shown(): [text: string | null, known: boolean] {
  return [element.textContent, element.hasAttribute('data-known')];
}

describe('a visit', () => {
  it('is counted once and shown', async () => {
    await countView(element);
    expect(asked).toEqual(['PUT /api/integration/articles/views/7']);
    expect(shown()).toEqual(['1.204', true]);
  });

  it('is not counted again when the page is loaded again', async () => {
    await countView(element);
    element = open('article');
    await countView(element);
    expect(asked.slice(1)).toEqual(['GET /api/integration/articles/views']);
    expect(shown()).toEqual(['1.205', true]);
  });

  it('of a blueprint asks for that one alone', async () => {
    await countView(open('blueprint'));
    element = open('blueprint');
    await countView(element);
    expect(asked.slice(1)).toEqual(['GET /api/integration/articles/blueprints/views/7']);
    expect(shown()).toEqual(['1.206', true]);
  });

  it('is counted each time where nothing can be kept', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    await countView(element);
    await countView(element);
    expect(asked).toEqual(Array(2).fill('PUT /api/integration/articles/views/7'));
    expect(shown()).toEqual(['1.204', true]);
  });

  it('that the API refuses shows nothing, and counts when it is made again', async () => {
    const { 'PUT /api/integration/articles/views/7': reply, ...others } = replies;
    replies = others;
    await expect(countView(element)).rejects.toThrow('404');
    expect(shown()).toEqual(['', false]);
    replies = { ...others, 'PUT /api/integration/articles/views/7': reply };
    await countView(element);
    expect(shown()).toEqual(['1.204', true]);
  });

  it('begins when somebody sees the page', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const counted = countView(element);
    document.dispatchEvent(new Event('visibilitychange'));
    await Promise.resolve();
    expect(asked).toEqual([]);
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await counted;
    expect(asked).toHaveLength(1);
  });
});

describe('a number', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1.000'],
    [1234567, '1.234.567'],
  ])('%i is printed as %s', async (views, text) => {
    replies = { 'PUT /api/integration/articles/views/7': { id: '7', views } };
    await countView(element);
    expect(shown()).toEqual([text, true]);
  });
});
