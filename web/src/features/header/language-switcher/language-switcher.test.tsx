import '../../../testing/dom.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { run as closeSwitcher } from './close-switcher.part.ts';
import { LanguageSwitcher } from './language-switcher.tsx';

const LINKS = [
  { label: 'English', code: 'EN', lang: 'en', hreflang: 'en', href: 'https://a.example/', current: true },
  { label: 'العربية', code: 'AR', lang: 'ar-AE', hreflang: 'ar', href: 'https://b.example/', current: false },
];

let details: HTMLDetailsElement;
let summary: HTMLElement;
beforeEach(async () => {
  const place = document.createElement('div');
  document.body.replaceChildren(place);
  place.innerHTML = renderToStaticMarkup(<LanguageSwitcher label="Choose a language" links={LINKS} />);
  await closeSwitcher(place);
  find();
});

function find(): void {
  const [found] = document.getElementsByTagName('details');
  const button = found?.querySelector('summary');
  if (!found || !button) throw new Error('the switcher is a details element');
  details = found;
  summary = button;
  details.open = true;
}

function press(key: string): void {
  (document.activeElement ?? details).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
}

function leave(): void {
  details.parentElement?.dispatchEvent(new MouseEvent('mouseleave'));
}

describe('the language switcher', () => {
  it('lists ordinary links, each in its own language', () => {
    const links = [...details.querySelectorAll('a')].map((link) => [
      link.href,
      link.hreflang,
      link.lang,
      link.textContent,
    ]);
    expect(links).toEqual(LINKS.map(({ href, hreflang, lang, label }) => [href, hreflang, lang, label]));
    expect(details.querySelector('[aria-current]')?.textContent).toBe('English');
  });

  it.each(['pointerdown', 'focusin', 'click', 'contextmenu'])('keeps query and hash of the page (%s)', (type) => {
    history.replaceState(null, '', '/?gclid=Cj0K&utm_source=mail#offices');
    const link = details.querySelector('li:last-child a') as HTMLAnchorElement;
    link.dispatchEvent(new Event(type, { bubbles: true }));
    expect(link.href).toBe('https://b.example/?gclid=Cj0K&utm_source=mail#offices');
    history.replaceState(null, '', '/?industry=travel');
    link.dispatchEvent(new Event(type, { bubbles: true }));
    expect(link.href).toBe('https://b.example/?industry=travel');
    history.replaceState(null, '', '/');
    details.dispatchEvent(new Event(type, { bubbles: true }));
    expect(link.href).toBe('https://b.example/?industry=travel');
  });

  it('says what it is for and which language this is', () => {
    expect(summary.textContent).toContain('EN');
    expect(summary.getAttribute('aria-label')).toBe('EN, Choose a language: English');
  });

  it('closes on Escape and gives the focus back to its button', () => {
    details.querySelector('a')?.focus();
    press('Escape');
    expect([details.open, document.activeElement]).toEqual([false, summary]);
  });

  it('leaves other keys alone', () => {
    summary.focus();
    press('a');
    expect(details.open).toBe(true);
  });

  it('closes when the mouse leaves', () => {
    leave();
    expect(details.open).toBe(false);
  });

  it('closes on a click elsewhere, and on none of its own', () => {
    details.querySelector('ul')?.click();
    expect(details.open).toBe(true);
    document.body.click();
    expect(details.open).toBe(false);
  });

  it('closes when the focus goes on to something else', () => {
    const next = document.createElement('button');
    document.body.append(next);
    summary.focus();
    details.querySelector('a')?.focus();
    expect(details.open).toBe(true);
    next.focus();
    expect(details.open).toBe(false);
  });

  it('closes also the list of the next page, which stands in the same place', () => {
    const place = details.parentElement;
    if (place) place.innerHTML = renderToStaticMarkup(<LanguageSwitcher label="Sprache" links={LINKS} />);
    find();
    document.body.click();
    expect(details.open).toBe(false);
  });

  it('stays open when the mouse leaves while the focus is inside', () => {
    details.querySelector('a')?.focus();
    leave();
    expect(details.open).toBe(true);
  });
});
