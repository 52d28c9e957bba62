import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pageData } from '../../testing/fake-server.ts';
import { findMain, showPage } from './show-page.ts';

const ABOUT = '/about-us';
const { head } = document;

beforeEach(() => {
  head.innerHTML = `
    <meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Home</title><meta name="description" content="Home"><meta name="robots" content="noindex">
    <meta property="og:site_name" content="Brightmoor"><meta property="og:title" content="Home">
    <meta property="og:locale:alternate" content="de_DE"><meta property="og:locale:alternate" content="fr_FR">
    <link rel="canonical" href="http://localhost/"><link rel="stylesheet" href="/assets/style.css">
    <link rel="alternate" hreflang="de" href="http://de.localhost/">
    <script type="application/ld+json">{}</script><script type="application/json" id="_runtime">{}</script>`;
  document.body.innerHTML = `
    <header data-header data-transparent>
      <a href="${ABOUT}" aria-label="Brightmoor">logo</a><a id="about" href="${ABOUT}">About us</a>
      <a id="home" href="/" aria-current="page">Home</a>
      <div data-switcher-place><a href="${ABOUT}">old</a></div>
    </header>
    <main data-template="home"><h1>Home</h1></main>
    <footer><a href="${ABOUT}">About us</a></footer>`;
});

const attributes = (selector: string, attribute: string) =>
  [...head.querySelectorAll(selector)].map((element) => element.getAttribute(attribute));

describe('the head', () => {
  it("is the other page's", () => {
    const page = pageData(ABOUT);
    const alternates = [
      { site: 'fr', hreflang: 'fr', href: 'http://fr.localhost/a-propos' },
      { site: 'en', hreflang: 'x-default', href: 'http://localhost/about-us' },
    ];
    showPage({
      ...page,
      head: { ...page.head, alternates },
      sharing: { picture: 'http://p/1.jpg', locales: ['pl_PL'] },
    });
    expect(document.title).toBe(`Page ${ABOUT}`);
    expect(attributes('meta[name=description]', 'content')).toEqual([`What ${ABOUT} is about`]);
    expect(attributes('link[rel=canonical]', 'href')).toEqual([`http://localhost${ABOUT}`]);
    expect(attributes('link[rel=alternate]', 'hreflang')).toEqual(['fr', 'x-default']);
    expect(attributes('link[rel=alternate]', 'href')).toEqual(alternates.map(({ href }) => href));
    expect(attributes('meta[property="og:title"]', 'content')).toEqual([`Page ${ABOUT}`]);
    expect(attributes('meta[property="og:locale:alternate"]', 'content')).toEqual(['pl_PL']);
    expect(attributes('meta[property="og:image"]', 'content')).toEqual(['http://p/1.jpg']);
  });

  it('loses what the other page does not have', () => {
    const page = pageData('/404.html');
    showPage({ ...page, head: { ...page.head, canonical: null, robots: null } });
    for (const gone of ['meta[name=robots]', 'link[rel=canonical]', 'link[rel=alternate]', 'meta[property="og:url"]'])
      expect(head.querySelector(gone), gone).toBeNull();
  });

  it('says what robots may do where the page says so', () => {
    const page = pageData(ABOUT);
    showPage({ ...page, head: { ...page.head, robots: 'noindex, nofollow' } });
    expect(attributes('meta[name=robots]', 'content')).toEqual(['noindex, nofollow']);
  });

  it('loses structured data, and keeps what is the same on every page', () => {
    showPage(pageData(ABOUT));
    expect(head.querySelector('script[type="application/ld+json"]')).toBeNull();
    for (const kept of ['#_runtime', 'meta[charset]', 'meta[name=viewport]', 'link[rel=stylesheet]'])
      expect(head.querySelector(kept), kept).not.toBeNull();
    expect(attributes('meta[property="og:site_name"]', 'content')).toEqual(['Brightmoor']);
  });
});

describe('the body', () => {
  it('gets the main part of the page, in the element that was there', () => {
    const main = findMain();
    showPage(pageData(ABOUT, { template: 'about', html: '<h1>About us</h1>' }));
    expect(findMain()).toBe(main);
    expect([main.innerHTML, main.dataset['template']]).toEqual(['<h1>About us</h1>', 'about']);
  });

  it.each([
    ['transparent', true],
    ['solid', false],
  ] as const)('has a %s header where the page wants it', (header, isTransparent) => {
    showPage(pageData(ABOUT, { header }));
    expect(document.querySelector('[data-header]')?.hasAttribute('data-transparent')).toBe(isTransparent);
  });

  it("gets the page's own links to other languages", () => {
    showPage(pageData(ABOUT, { switcher: '<a href="http://de.localhost/ueber-uns">Deutsch</a>' }));
    expect(document.querySelector('[data-switcher-place]')?.textContent).toBe('Deutsch');
  });

  it('is laid out whole from here on', () => {
    document.documentElement.setAttribute('data-lays-out-later', '');
    showPage(pageData(ABOUT));
    expect(document.documentElement.hasAttribute('data-lays-out-later')).toBe(false);
  });

  it('does without a header and a switcher', () => {
    document.body.innerHTML = '<main></main>';
    showPage(pageData(ABOUT));
    expect(findMain().querySelector('h1')?.textContent).toBe(`Heading of ${ABOUT}`);
  });

  it('without a main part is no page', () => {
    document.body.innerHTML = '';
    expect(findMain).toThrow('The document has no main part.');
  });
});

describe('links of the frame', () => {
  it('say which of them leads to the page that is there', () => {
    showPage(pageData(ABOUT));
    const current = [...document.querySelectorAll('[aria-current=page]')];
    expect(current).toEqual([document.querySelector('#about'), document.querySelector('footer a')]);
  });

  it('leave those of the switcher and of the page alone', () => {
    const link = `<a class="own" href="${ABOUT}" aria-current="page">x</a>`;
    showPage(pageData('/contact-us', { switcher: link, html: `<header>${link}</header>` }));
    expect(document.querySelectorAll('[aria-current=page]')).toHaveLength(2);
    expect(document.querySelector('#home')?.hasAttribute('aria-current')).toBe(false);
  });
});

describe('menus and dialogs', () => {
  it('close with the page they were opened on, and those that do not hold up the page stay', () => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<div popover id="menu"></div><div popover id="shut"></div><dialog open id="modal"></dialog><dialog open id="banner"></dialog>',
    );
    const [menu, shut, modal, banner] = ['menu', 'shut', 'modal', 'banner'].map((id) => document.getElementById(id));
    const closed: string[] = [];
    for (const element of [menu, shut, modal, banner])
      Object.assign(element ?? {}, {
        hidePopover: () => closed.push(element?.id ?? ''),
        close: () => closed.push(element?.id ?? ''),
      });
    // jsdom has no top layer: the test sets the open elements.
    const all = document.querySelectorAll.bind(document);
    const open: Record<string, (Element | null | undefined)[]> = {
      '[popover]:popover-open': [menu],
      'dialog:modal': [modal],
    };
    vi.spyOn(document, 'querySelectorAll').mockImplementation(
      (selector: string) => (open[selector] ?? all(selector)) as unknown as NodeListOf<Element>,
    );
    showPage(pageData(ABOUT));
    expect(closed).toEqual(['menu', 'modal']);
  });
});
