import { expect, it } from 'vitest';
import { isPagePath, judgePage, pageDataUrl, pauseBefore, readBuild } from './page-loading.ts';

const PAGE = { path: '/about-us', html: '<h1>About</h1>', build: 'b1d' };

it.each([
  [200, PAGE, 'found'],
  [200, { html: '', build: 'b1d' }, 'not-found'],
  [200, undefined, 'not-found'],
  [200, [], 'not-found'],
  [200, null, 'not-found'],
  [404, PAGE, 'not-found'],
  [410, undefined, 'not-found'],
  [500, undefined, 'server-error'],
  [503, undefined, 'again'],
  [502, undefined, 'again'],
  [403, undefined, 'again'],
  [0, undefined, 'again'],
] as const)('%i with %j is %s', (status, body, verdict) => {
  expect(judgePage({ status, body, retryAfterMs: null })).toBe(verdict);
});

it.each([
  [1, null, 0.5, 300],
  [2, null, 0.5, 900],
  [3, null, 0.5, 2700],
  [1, null, 0, 240],
  [1, null, 1, 360],
  [1, 2000, 0.5, 2000],
  [3, 2000, 0.5, 2700],
  [1, 60_000, 0.5, 5000],
])('after %i failures, told to wait %s ms, by chance %f: %i ms', (failures, told, chance, pause) => {
  expect(pauseBefore(failures, told, chance)).toBeCloseTo(pause);
});

it('is not tried a fifth time', () => {
  expect(pauseBefore(4, 1000, 0.5)).toBeNull();
});

it.each([
  ['/', '/page-data/index/page-data.json'],
  ['/index', '/page-data/_index/page-data.json'],
  ['/index/', '/page-data/_index/page-data.json'],
  ['/about-us', '/page-data/about-us/page-data.json'],
  ['/about-us/', '/page-data/about-us/page-data.json'],
  ['/project-cases/lumen-clinic', '/page-data/project-cases/lumen-clinic/page-data.json'],
  ['/404.html', '/page-data/404.html/page-data.json'],
])('the page data of %s is at %s', (path, url) => {
  expect(pageDataUrl(path)).toBe(url);
});

it.each([
  ['/', true],
  ['/about-us', true],
  ['/404.html', true],
  ['/apiary', true],
  ['/api/docs', false],
  ['/api', false],
  ['/media/documents/a.pdf', false],
  ['/a.pdf', false],
  ['/sitemap.xml', false],
  ['/__third-party-proxy', false],
  ['/page-data/app-data.json', false],
])('that %s is a page is %s', (path, isPage) => {
  expect(isPagePath(path)).toBe(isPage);
});

it.each([
  [200, { buildHash: 'b1d' }, 'b1d'],
  [200, undefined, ''],
  [200, { buildHash: 3 }, ''],
  [0, undefined, ''],
])('app data %i %j names the build "%s"', (status, body, build) => {
  expect(readBuild({ status, body, retryAfterMs: null })).toBe(build);
});
