import { describe, expect, it } from 'vitest';
import { chooseKeeping, chooseWay, findAssets, pageOfData, type Way, type WorkerRequest } from './offline.ts';
import { pageDataUrl } from './page-loading.ts';

const FETCHED: WorkerRequest = {
  method: 'GET',
  mode: 'cors',
  destination: '',
  sameOrigin: true,
  pathname: '/',
  hasRange: false,
};
const OPENED = { mode: 'navigate', destination: 'document' };
const SHOWN = { mode: 'no-cors', destination: 'image' };

describe('chooseWay', () => {
  it.each<[pathname: string, request: Partial<WorkerRequest>, way: Way]>([
    ['/assets/browser-1a2b.js', {}, 'asset'],
    ['/assets/manrope-1a2b.woff2', { destination: 'font' }, 'asset'],
    ['/page-data/sq/d/1a2b.json', {}, 'asset'],
    ['/page-data/index/page-data.json', {}, 'pageData'],
    ['/page-data/services/web-development/page-data.json', {}, 'pageData'],
    ['/page-data/app-data.json', {}, 'network'],
    ['/', OPENED, 'page'],
    ['/services/web-development', OPENED, 'page'],
    ['/about-us', {}, 'network'],
    ['/about-us', { mode: 'navigate', destination: 'iframe' }, 'network'],
    ['/about-us', { ...OPENED, method: 'POST' }, 'network'],
    ['/about-us', { method: 'HEAD' }, 'network'],
    ['/media/pictures/harbour-640.avif', SHOWN, 'picture'],
    ['/media/pictures/harbour-640.avif', {}, 'network'],
    ['/media/pictures/harbour-640.avif', OPENED, 'network'],
    ['/media/documents/policy.pdf', OPENED, 'network'],
    ['/media/pictures/harbour.webp', { ...SHOWN, hasRange: true }, 'network'],
    ['/assets/browser-1a2b.js', { hasRange: true }, 'network'],
    ['/assets/browser-1a2b.js', { sameOrigin: false }, 'network'],
    ['/', { ...OPENED, sameOrigin: false }, 'network'],
    ['/api/content/offices', {}, 'network'],
    ['/api/docs', OPENED, 'network'],
    ['/__consent', { method: 'POST' }, 'network'],
    ['/__third-party-proxy', {}, 'network'],
    ['/__third-party-proxy', OPENED, 'network'],
    ['/demo/chat.js', { destination: 'script' }, 'network'],
    ['/sw.js', {}, 'network'],
    ['/sitemap.xml', OPENED, 'network'],
    ['/favicon.svg', SHOWN, 'network'],
  ])('%s with %o: %s', (pathname, request, way) => {
    expect(chooseWay({ ...FETCHED, ...request, pathname })).toBe(way);
  });
});

describe('pageOfData', () => {
  it.each(['/', '/about-us', '/services/web-development', '/404.html'])('is the reverse of the address: %s', (path) => {
    expect(pageOfData(pageDataUrl(path))).toBe(path);
  });
});

describe('findAssets', () => {
  it('finds styles, scripts and fonts, each once, and nothing else', () => {
    const html =
      '<link rel="stylesheet" href="/assets/a.css"/><link rel="preload" href="/assets/b.woff2" as="font"/>' +
      '<link rel="preload" href="/assets/a.css" as="style"/><script data-loader="/assets/c.js">let a="/assets/d.js"</script>' +
      '<a href="/about-us">/assets/no.js</a><img src="/media/d.png"/><link rel="icon" href="/favicon.svg"/>';
    expect(findAssets(html)).toEqual(['/assets/a.css', '/assets/b.woff2', '/assets/c.js']);
  });
});

it.each([
  ['a page', { status: 200 }, 'keep'],
  ['what is missing', { status: 404 }, 'forget'],
  ['what is gone', { status: 410 }, 'forget'],
  ['the page that a former address leads to', { status: 200, redirected: true }, 'forget'],
  ['a redirect that the browser follows', { status: 0, type: 'opaqueredirect' }, 'forget'],
  ['data that tells the runtime to load the document', { status: 200, cacheControl: 'no-store' }, 'forget'],
  ['a server that fails', { status: 503 }, 'leave'],
] as const)('%s', (_, { cacheControl = 'public, max-age=0', ...answer }: Answered, keeping) => {
  const response = {
    type: 'basic',
    redirected: false,
    ...answer,
    headers: new Headers({ 'cache-control': cacheControl }),
  };
  expect(chooseKeeping(response as Response)).toBe(keeping);
});

interface Answered {
  status: number;
  redirected?: boolean;
  type?: string;
  cacheControl?: string;
}
