import '../testing/dom.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-call.ts';
import * as reading from './api-client.ts';
import { submitForm } from './submit-form.ts';
import type { UploadOptions } from './upload.ts';

vi.mock('./upload.ts', () => ({
  upload: (path: string, { headers, body, signal }: UploadOptions) =>
    fetch(path, { method: 'POST', headers: [...headers], body, signal: signal ?? null }),
}));

const client = { ...reading, submitForm };

interface Parameter {
  name: string;
  in: 'header' | 'path' | 'query';
  $ref?: string;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
}

const contract: {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../../contract/openapi.json'), 'utf8'));

/** Sent with every call; the contract describes only the first two. */
const COMMON = {
  'Api-Version': 'v5',
  'Accept-Language': 'de',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Type': 'application/json',
};

interface Call {
  ask: () => Promise<unknown>;
  /** The specification's path, with the contract's names for its variables. */
  route: string;
  url?: string;
  headers?: Record<string, string>;
}

/** Spec §7: 26 GET, one PUT, one POST. Each with everything it can be given. */
const CALLS: { [name: string]: Call } = {
  listCertificates: { ask: () => client.listCertificates(), route: 'GET content/certificates' },
  listCvs: { ask: () => client.listCvs(), route: 'GET content/cvs' },
  listEvents: {
    ask: () => client.listEvents({ countryCode: 'ae' }),
    route: 'GET content/events',
    headers: { 'Country-Code': 'ae' },
  },
  listEventPages: { ask: () => client.listEventPages(), route: 'GET content/events/pages' },
  listFilteredProjects: {
    ask: () => client.listFilteredProjects('industry', 'health/care'),
    route: 'GET content/filter/{facet}/{value}',
    url: 'content/filter/industry/health%2Fcare',
  },
  listInsightShorts: { ask: () => client.listInsightShorts(), route: 'GET content/insights-shorts' },
  listInsightVideos: { ask: () => client.listInsightVideos(), route: 'GET content/insights-video' },
  listNews: { ask: () => client.listNews(), route: 'GET content/news' },
  paginateNews: {
    ask: () => client.paginateNews({ page: 2, perPage: 9 }),
    route: 'GET content/news/pagination',
    url: 'content/news/pagination?page=2&perPage=9',
  },
  readNews: { ask: () => client.readNews('a?b'), route: 'GET content/news/{id}', url: 'content/news/a%3Fb' },
  listOffices: { ask: () => client.listOffices(), route: 'GET content/offices' },
  readOffice: {
    ask: () => client.readOffice('dallas'),
    route: 'GET content/offices/{id}',
    url: 'content/offices/dallas',
  },
  listPhones: { ask: () => client.listPhones(), route: 'GET content/phones' },
  listRedirects: { ask: () => client.listRedirects(), route: 'GET content/redirects' },
  listProjectCards: {
    ask: () => client.listProjectCards({ pageKey: 'services/devops' }),
    route: 'GET content/projects/cards',
    headers: { 'Page-Key': 'services/devops' },
  },
  listFullProjectCards: { ask: () => client.listFullProjectCards(), route: 'GET content/projects/full-cards' },
  listProjectGalleries: { ask: () => client.listProjectGalleries(), route: 'GET content/projects/galleries' },
  listProjectPlaces: { ask: () => client.listProjectPlaces(), route: 'GET content/projects/map' },
  listProjectPages: { ask: () => client.listProjectPages(), route: 'GET content/projects/pages' },
  listRelatedProjects: {
    ask: () => client.listRelatedProjects('technology', 'lumen'),
    route: 'GET content/projects/related/{facet}/{slug}',
    url: 'content/projects/related/technology/lumen',
  },
  listTopProjects: { ask: () => client.listTopProjects(), route: 'GET content/projects/top' },
  listReviews: {
    ask: () => client.listReviews({ pageKey: 'home', countryCode: 'gb' }),
    route: 'GET content/reviews',
    headers: { 'Page-Key': 'home', 'Country-Code': 'gb' },
  },
  readReview: { ask: () => client.readReview('vts'), route: 'GET content/reviews/{id}', url: 'content/reviews/vts' },
  paginateTestimonials: {
    ask: () => client.paginateTestimonials({ countryCode: 'gb', more: 0 }),
    route: 'GET content/reviews/testimonial/pagination',
    url: 'content/reviews/testimonial/pagination?countryCode=gb&more=0',
  },
  listArticleViews: { ask: () => client.listArticleViews(), route: 'GET integration/articles/views' },
  readBlueprintViews: {
    ask: () => client.readBlueprintViews('7'),
    route: 'GET integration/articles/blueprints/views/{id}',
    url: 'integration/articles/blueprints/views/7',
  },
  addArticleView: {
    ask: () => client.addArticleView('7'),
    route: 'PUT integration/articles/views/{id}',
    url: 'integration/articles/views/7',
  },
  validateEmail: {
    ask: () => client.validateEmail('jürgen+x@müller.example'),
    route: 'GET integration/validation/email',
    headers: { 'Email-Validation': 'j%C3%BCrgen%2Bx%40m%C3%BCller.example' },
  },
  submitForm: {
    ask: () => client.submitForm({ contact: { name: 'A' } }, { idempotencyKey: '1f' }),
    route: 'POST integration/form-data',
    headers: { 'Accept-Language': 'ae', Integration: 'site', 'Idempotency-Key': '1f' },
  },
};

const cases = Object.entries(CALLS).map(([name, call]) => ({ name, ...call }));

const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [] }]) => ({
    name: operationId.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    route: `${method.toUpperCase()} ${path.replace('/api/', '')}`,
    parameters: parameters.map((parameter) => resolve(parameter)),
  })),
);

function resolve(parameter: Parameter): Parameter {
  return contract.components.parameters[parameter.$ref?.replace('#/components/parameters/', '') ?? ''] ?? parameter;
}

/** Requests the client has made. */
let requests: Request[];
let answer: () => Response;
beforeEach(() => {
  document.documentElement.dataset['site'] = 'de';
  requests = [];
  answer = () => Response.json({ items: [] });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push(new Request(new URL(path, 'http://site.test'), init));
    return answer();
  });
});

async function requestOf(ask: () => Promise<unknown>): Promise<Request> {
  await ask();
  const [request, ...more] = requests;
  if (!request || more.length > 0) throw new Error('one call is one request');
  return request;
}

describe('the client', () => {
  it('has one function for each operation (28 of the specification, and the list of redirects) and no other', () => {
    const functions = Object.entries(client)
      .filter(([name]) => name !== 'ApiError')
      .map(([name]) => name);
    expect(functions.sort()).toEqual(Object.keys(CALLS).sort());
    expect(cases).toHaveLength(29);
    expect(Map.groupBy(cases, ({ route }) => route.split(' ')[0]).get('GET')).toHaveLength(27);
  });

  it.each(cases)('$name asks for its own route', async ({ ask, route, url, headers = {} }) => {
    const request = await requestOf(ask);
    const [method, path = ''] = route.split(' ');
    expect(`${request.method} ${request.url}`).toBe(`${method} http://site.test/api/${url ?? path}`);
    const sent = Object.fromEntries(request.headers);
    const expected = Object.entries({ ...COMMON, ...headers }).map(([name, value]) => [name.toLowerCase(), value]);
    if (method === 'POST') {
      expect(sent['content-type'], 'the browser says where a part ends').toMatch(/^multipart\/form-data; boundary=/);
      delete sent['content-type'];
      expect(sent).toEqual(Object.fromEntries(expected.filter(([name]) => name !== 'content-type')));
    } else expect(sent).toEqual(Object.fromEntries(expected));
  });
});

/** `If-None-Match` is the browser's to send, out of its own cache. */
describe('the contract', () => {
  it('has the operations of the client and no other', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
  });

  it.each(operations)('$name is asked for as the document says', async ({ name, route, parameters }) => {
    const call = CALLS[name];
    if (!call) throw new Error(`the client has no ${name}`);
    expect(call.route).toBe(route);
    const request = await requestOf(call.ask);
    const names = (place: Parameter['in']) =>
      parameters
        .filter((parameter) => parameter.in === place && parameter.name !== 'If-None-Match')
        .map((parameter) => parameter.name.toLowerCase());
    const sent = [...request.headers.keys()].filter(
      (key) => !['content-type', 'cross-origin-resource-policy'].includes(key),
    );
    expect(sent.sort()).toEqual(names('header').sort());
    expect([...new URL(request.url).searchParams.keys()].map((key) => key.toLowerCase()).sort()).toEqual(
      names('query').sort(),
    );
  });
});

describe('an answer', () => {
  it('is the value itself', async () => {
    answer = () => Response.json({ id: 'dallas' });
    expect(await client.readOffice('dallas')).toEqual({ id: 'dallas' });
  });

  it('that is no is an error with its status, its text and its code', async () => {
    const problem = '{"status":404,"code":"unknown-news","detail":"There is no news \\"x\\"."}';
    answer = () => new Response(problem, { status: 404 });
    const error = await client.readNews('x').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, body: problem, code: 'unknown-news' });
    expect(String(error)).toBe(`ApiError: The content API answered 404: ${problem}`);
  });

  it.each(['<h1>502</h1>', 'null', ''])('of something that is not the API has no code: %j', async (body) => {
    answer = () => new Response(body, { status: 502 });
    await expect(client.listNews()).rejects.toMatchObject({ status: 502, body, code: '' });
  });

  it('can be given up', async () => {
    const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(async () => answer());
    vi.stubGlobal('fetch', fetched);
    const { signal } = new AbortController();
    await client.listNews({ signal });
    await client.addArticleView('7', { signal });
    await client.submitForm({}, { signal });
    expect(fetched.mock.calls.map(([, init]) => init.signal)).toEqual([signal, signal, signal]);
  });
});

describe('what is not given', () => {
  it('is not sent', async () => {
    const request = await requestOf(() => client.listReviews());
    expect(Object.keys(Object.fromEntries(request.headers)).sort()).toEqual(
      Object.keys(COMMON)
        .map((name) => name.toLowerCase())
        .sort(),
    );
    await client.paginateNews();
    expect(requests[1]?.url).toBe('http://site.test/api/content/news/pagination');
  });

  it('is, for the site, the one the specification names', async () => {
    delete document.documentElement.dataset['site'];
    expect((await requestOf(() => client.listNews())).headers.get('Accept-Language')).toBe('ae');
  });
});
