import { expect, it } from 'vitest';
import { inspectAgain, inspectDocument, inspectFrame, inspectHtml } from './inspect-html.ts';

function inspectMain(body: string) {
  return inspectHtml(pageOf(`<main id="_main">${body}</main>`)).seen;
}

function pageOf(body: string, opening = 'lang="de-DE" dir="ltr"', head = ''): string {
  return `<!doctype html><html ${opening}><head>${head}</head><body>${body}</body></html>`;
}

it.each([
  ['<a href="/a"></a><a href="/a"></a><img src="/b.webp"/>', ['/a', '/b.webp']],
  ['<source srcSet="/a.webp 1x, /b.webp 2x"/><video poster="/p.webp"></video>', ['/a.webp 1x, /b.webp 2x', '/p.webp']],
  ['<link imageSrcSet="/a.webp 1x"/><form action="/f"></form>', ['/a.webp 1x', '/f']],
  ['<a data-href="/no" href="/a?b&amp;c"></a><a href=""></a>', ['/a?b&amp;c', '']],
])('lists the addresses of %s as they are written, each once', (body, values) => {
  expect(inspectMain(body).values).toEqual(values);
});

it('lists ids, and no other attribute that ends like one', () => {
  expect(inspectMain('<p id="a"></p><p data-id="no" id="b"></p>').ids).toEqual(['_main', 'a', 'b']);
});

it.each([
  ['<h1>One</h1>', 1, []],
  ['<h1>One</h1><h1 class="x">Two</h1><p>{employees}, {employees} and {Name}</p>', 2, ['{employees}']],
])('counts headings and finds braces in %s', (body, headings, braces) => {
  const seen = inspectMain(body);
  expect([seen.headings, seen.braces]).toEqual([headings, braces]);
});

it('lists documents in attributes, in texts and in scripts', () => {
  const body = '<a href="/media/documents/0a/a.pdf#p2">A</a> /media/documents/b.pdf<p>';
  const script = '<script>{"href":"/media/documents/c%20d.pdf"}</script>';
  expect(inspectMain(body + script).documents).toEqual([
    '/media/documents/0a/a.pdf',
    '/media/documents/b.pdf',
    '/media/documents/c%20d.pdf',
  ]);
});

it('reads language and direction off the document, and counts translations in its head', () => {
  const head = '<link rel="alternate" hrefLang="en" href="/e"/><link rel="alternate" hrefLang="de" href="/d"/>';
  const body = '<main id="_main"><p lang="fr" dir="rtl"></p><a rel="alternate"></a></main>';
  const { seen } = inspectHtml(pageOf(body, 'lang="ar" dir="rtl"', head));
  expect([seen.lang, seen.dir, seen.alternates]).toEqual(['ar', 'rtl', 2]);
  const bare = inspectHtml(pageOf(body, 'class="x"')).seen;
  expect([bare.lang, bare.dir]).toEqual(['', '']);
});

it('tells a stored page from its frame, where headings count up to the main part', () => {
  const header = '<header><h1>One</h1>{age}<a href="/menu"></a></header>';
  const footer = '<footer><h1>Two</h1>{year}<a href="/footer" id="f"></a></footer>';
  const { seen, frame } = inspectHtml(pageOf(`${header}<main id="_main">{name}<a href="/own"></a></main>${footer}`));
  expect(seen).toMatchObject({ headings: 0, braces: ['{name}'], values: ['/own'], ids: ['_main'] });
  expect(frame).toMatchObject({ headings: 1, braces: ['{age}'], values: ['/menu', '/footer'], ids: ['f'] });
});

it.each(['<html></html>', '<body></main><main id="_main">'])('refuses %s, which is no page of ours', (html) => {
  expect(() => inspectHtml(html)).toThrow('no document of ours');
});

it('looks in the own parts of a page, text or bytes, for what its new frame needs', () => {
  const frame = {
    beforeSwitcher: Buffer.from(
      '<a href="#_main"></a><a href="#b%20c"></a><a href="#none"></a><a href="#menu"></a><i id="menu"></i>',
    ),
    beforeMain: Buffer.from('<a href="#50%"></a>'),
    afterMain: Buffer.from('/media/documents/of-the-frame.pdf'),
  };
  const main = '<main id="_main"><p id="b c"></p><p id="50%"></p>é /media/documents/d%C3%A9.pdf';
  for (const part of [main, Buffer.from(main)]) {
    const document = { start: ['<body>'], frame, switcher: '', main: [part], end: ['"/media/documents/e.pdf"'] };
    expect(inspectAgain(document)).toEqual({
      ids: ['_main', 'b c', '50%'],
      documents: ['/media/documents/d%C3%A9.pdf', '/media/documents/e.pdf'],
    });
  }
});

it('reads a document less its frame, and the frame once', () => {
  const frame = {
    beforeSwitcher: Buffer.from('<header><a href="/menu"></a>'),
    beforeMain: Buffer.from('<i id="in-the-header">{age}</i></header>'),
    afterMain: Buffer.from('<footer><h1>Not counted</h1>{year}<a href="/in-the-footer"></a></footer>'),
  };
  const document = {
    start: [`<!doctype html><html lang="fr-FR" dir="ltr"><head><link rel="alternate" href="/t"/></head><body>`],
    frame,
    switcher: '<a href="/de"></a>',
    main: ['<main id="_main">', '<h1>One</h1>{name}', '<img src="/m.webp"/>'],
    end: ['<script id="_islands">{"a":1}</script>', '</body></html>'],
  };
  expect(inspectDocument(document)).toEqual({
    lang: 'fr-FR',
    dir: 'ltr',
    alternates: 1,
    headings: 1,
    braces: ['{name}'],
    ids: ['_main', '_islands'],
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
