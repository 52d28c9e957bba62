import { expect, it } from 'vitest';
import { isPageChange, type NavigationDetails } from './page-change.ts';

const FOLLOWED_LINK: NavigationDetails = {
  canIntercept: true,
  sameDocument: false,
  sameView: false,
  type: 'push',
  carriesMore: false,
  origin: 'https://a.example',
  from: 'https://a.example',
  pathname: '/about-us',
};

it.each<[string, Partial<NavigationDetails>, boolean]>([
  ['a link', {}, true],
  ['a link to the page itself with another query', { pathname: '/' }, true],
  ['a link to a hash', { sameDocument: true, sameView: true, pathname: '/' }, false],
  ['pushState', { sameDocument: true, sameView: true }, false],
  ['replaceState', { sameDocument: true, sameView: true, type: 'replace' }, false],
  ['a hash of a page that could not be shown after going back', { sameDocument: true }, true],
  ['a link that replaces', { type: 'replace' }, true],
  ['reload', { type: 'reload' }, false],
  ['a form or a download', { carriesMore: true }, false],
  ['another site', { origin: 'https://b.example' }, false],
  ['a file', { pathname: '/media/documents/a.pdf' }, false],
  ['what the browser keeps to itself', { canIntercept: false }, false],
  ['back to another page of this document', { type: 'traverse', sameDocument: true }, true],
  ['back to this page as it was shown before', { type: 'traverse', sameDocument: true, pathname: '/' }, true],
  ['back to another hash of this page', { type: 'traverse', sameDocument: true, sameView: true, pathname: '/' }, false],
  ['back to another document', { type: 'traverse' }, false],
])('%s', (_, change, expected) => {
  expect(isPageChange({ ...FOLLOWED_LINK, ...change })).toBe(expected);
});
