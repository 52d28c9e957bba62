import { expect, it } from 'vitest';
import { inspectHtml } from './inspect-html.ts';

function piecesOf(body: string, opening = 'lang="de-DE" dir="ltr"', head = ''): string[] {
  return ['<!doctype html>', `<html ${opening}><head>${head}</head><body>`, body, '</body></html>'];
}

it.each([
  ['<a href="/a"></a><a href="/a"></a><img src="/b.webp"/>', ['/a', '/b.webp']],
  ['<source srcSet="/a.webp 1x, /b.webp 2x"/><video poster="/p.webp"></video>', ['/a.webp 1x, /b.webp 2x', '/p.webp']],
  ['<link imageSrcSet="/a.webp 1x"/><form action="/f"></form>', ['/a.webp 1x', '/f']],
  ['<a data-href="/no" href="/a?b&amp;c"></a><a href=""></a>', ['/a?b&amp;c', '']],
  ['</main><footer><a href="/in-the-footer"></a></footer>', ['/in-the-footer']],
])('lists the addresses of %s as they are written, each once', (body, values) => {
  expect(inspectHtml(piecesOf(body)).values).toEqual(values);
});

it('lists ids, and no other attribute that ends like one', () => {
  expect(inspectHtml(piecesOf('<p id="a"></p><p data-id="no" id="b"></p>')).ids).toEqual(['a', 'b']);
});

it.each([
  ['<h1>One</h1>', 1, []],
  ['<h1>One</h1><h1 class="x">Two</h1><p>{employees}, {employees} and {Name}</p>', 2, ['{employees}']],
  ['<main>{age}</main><footer><h1>Not counted</h1>{year}</footer>', 0, ['{age}']],
  ['<footer>{year}</footer><main><h1>Last</h1></main>', 1, ['{year}']],
])('counts headings and finds braces up to the end of main: %s', (body, headings, braces) => {
  const seen = inspectHtml(piecesOf(body));
  expect([seen.headings, seen.braces]).toEqual([headings, braces]);
});

it('reads language and direction off the document, and counts translations in its head', () => {
  const head = '<link rel="alternate" hrefLang="en" href="/e"/><link rel="alternate" hrefLang="de" href="/d"/>';
  const seen = inspectHtml(piecesOf('<p lang="fr" dir="rtl"></p><a rel="alternate"></a>', 'lang="ar" dir="rtl"', head));
  expect([seen.lang, seen.dir, seen.alternates]).toEqual(['ar', 'rtl', 2]);
  const bare = inspectHtml(piecesOf('<p lang="fr"></p>', 'class="x"'));
  expect([bare.lang, bare.dir]).toEqual(['', '']);
});

it('says the same of long pieces that come again, and of a page that is one piece', () => {
  const frame = `<header>${'<a href="/menu#a"></a>'.repeat(200)}<i id="in-the-header"></i></header>`;
  const pages = Array.from({ length: 100 }, (_, index) => [
    ...piecesOf(`${frame}<main><h1>{age}</h1>`),
    `<p id="p-${index}">${'<img src="/m.webp"/>'.repeat(200)}</p>`,
    `</main><footer><a href="/${index}"></a></footer>`,
  ]);
  for (const [index, pieces] of pages.entries()) {
    const seen = inspectHtml(pieces);
    expect(seen.values).toEqual(['/menu#a', '/m.webp', `/${index}`]);
    expect([seen.headings, seen.braces, seen.ids]).toEqual([1, ['{age}'], ['in-the-header', `p-${index}`]]);
    expect(inspectHtml([pieces.join('')])).toEqual(seen);
  }
});
