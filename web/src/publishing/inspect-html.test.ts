import { expect, it } from 'vitest';
import { inspectDocument, inspectFrame, inspectHtml } from './inspect-html.ts';

function pageOf(body: string, opening = 'lang="de-DE" dir="ltr"', head = ''): string {
  return `<!doctype html><html ${opening}><head>${head}</head><body>${body}</body></html>`;
}

it.each([
  ['<a href="/a"></a><a href="/a"></a><img src="/b.webp"/>', ['/a', '/b.webp']],
  ['<source srcSet="/a.webp 1x, /b.webp 2x"/><video poster="/p.webp"></video>', ['/a.webp 1x, /b.webp 2x', '/p.webp']],
  ['<link imageSrcSet="/a.webp 1x"/><form action="/f"></form>', ['/a.webp 1x', '/f']],
  ['<a data-href="/no" href="/a?b&amp;c"></a><a href=""></a>', ['/a?b&amp;c', '']],
  ['</main><footer><a href="/in-the-footer"></a></footer>', ['/in-the-footer']],
])('lists the addresses of %s as they are written, each once', (body, values) => {
  expect(inspectHtml(pageOf(body)).values).toEqual(values);
});

it('lists ids, and no other attribute that ends like one', () => {
  expect(inspectHtml(pageOf('<p id="a"></p><p data-id="no" id="b"></p>')).ids).toEqual(['a', 'b']);
});

it.each([
  ['<h1>One</h1>', 1, []],
  ['<h1>One</h1><h1 class="x">Two</h1><p>{employees}, {employees} and {Name}</p>', 2, ['{employees}']],
  ['<main>{age}</main><footer><h1>Not counted</h1>{year}</footer>', 0, ['{age}']],
  ['<footer>{year}</footer><main><h1>Last</h1></main>', 1, ['{year}']],
])('counts headings and finds braces up to the end of main: %s', (body, headings, braces) => {
  const seen = inspectHtml(pageOf(body));
  expect([seen.headings, seen.braces]).toEqual([headings, braces]);
});

it('lists documents in attributes, in texts and in scripts', () => {
  const body = '<a href="/media/documents/0a/a.pdf#p2">A</a> /media/documents/b.pdf<p>';
  const script = '<script>{"href":"/media/documents/c%20d.pdf"}</script>';
  expect(inspectHtml(pageOf(`${body}</main>${script}`)).documents).toEqual([
    '/media/documents/0a/a.pdf',
    '/media/documents/b.pdf',
    '/media/documents/c%20d.pdf',
  ]);
});

it('reads language and direction off the document, and counts translations in its head', () => {
  const head = '<link rel="alternate" hrefLang="en" href="/e"/><link rel="alternate" hrefLang="de" href="/d"/>';
  const seen = inspectHtml(pageOf('<p lang="fr" dir="rtl"></p><a rel="alternate"></a>', 'lang="ar" dir="rtl"', head));
  expect([seen.lang, seen.dir, seen.alternates]).toEqual(['ar', 'rtl', 2]);
  const bare = inspectHtml(pageOf('<p lang="fr"></p>', 'class="x"'));
  expect([bare.lang, bare.dir]).toEqual(['', '']);
});

it('reads a document less its frame, and the frame once', () => {
  const frame = {
    beforeSwitcher: '<header><a href="/menu"></a>',
    beforeMain: '<i id="in-the-header">{age}</i></header>',
    afterMain: '<footer><h1>Not counted</h1>{year}<a href="/in-the-footer"></a></footer>',
    islands: [],
  };
  const document = {
    start: `<!doctype html><html lang="fr-FR" dir="ltr"><head><link rel="alternate" href="/t"/></head><body>`,
    frame,
    switcher: '<a href="/de"></a>',
    main: ['<main id="main">', '<h1>One</h1>{name}', '<img src="/m.webp"/>'],
    end: ['<script id="islands">{"a":1}</script>', '</body></html>'],
  };
  expect(inspectDocument(document)).toEqual({
    lang: 'fr-FR',
    dir: 'ltr',
    alternates: 1,
    headings: 1,
    braces: ['{name}'],
    ids: ['main', 'islands'],
    values: ['/t', '/de', '/m.webp'],
    documents: [],
  });
  const part = inspectFrame(frame);
  expect(part).toEqual({
    headings: 0,
    braces: ['{age}'],
    ids: ['in-the-header'],
    values: ['/menu', '/in-the-footer'],
    documents: [],
  });
  expect(inspectFrame(frame)).toBe(part);
});
