/** Puts a page in place of the one that is there: head, main part, and what in the frame follows the page. */
import type { Head, PageData } from '../contract/index.ts';

export function showPage(page: PageData): void {
  showHead(page.head);
  const main = findMain();
  main.innerHTML = page.html;
  main.dataset['template'] = page.template;
  document.querySelector('[data-header]')?.toggleAttribute('data-transparent', page.header === 'transparent');
  const switcher = document.querySelector('[data-switcher-place]');
  if (switcher) switcher.innerHTML = page.switcher;
  markCurrentLinks(page.path);
  closeWhatIsOpen();
}

export function findMain(): HTMLElement {
  const main = document.querySelector('main');
  if (!main) throw new Error('The document has no main part.');
  return main;
}

/** As the document's head says it (`document/head.tsx`). */
function showHead(head: Head): void {
  document.title = head.title;
  set('meta', 'name', 'description', { content: head.description });
  set('meta', 'name', 'robots', head.robots === null ? null : { content: head.robots });
  set('meta', 'property', 'og:title', { content: head.title });
  set('meta', 'property', 'og:description', { content: head.description });
  set('meta', 'property', 'og:url', head.canonical === null ? null : { content: head.canonical });
  set('link', 'rel', 'canonical', head.canonical === null ? null : { href: head.canonical });
  // What is told search engines of the page before: they load documents, and are told in each.
  for (const old of document.head.querySelectorAll('link[rel=alternate],script[type$="ld+json"]')) old.remove();
  for (const { hreflang, href } of head.alternates) append('link', { rel: 'alternate', hreflang, href });
}

/** Makes the one element with `attribute` = `value` have these others; null takes it out. */
function set(tag: 'meta' | 'link', attribute: string, value: string, others: Record<string, string> | null): void {
  document.head.querySelector(`${tag}[${attribute}="${value}"]`)?.remove();
  if (others) append(tag, { [attribute]: value, ...others });
}

function append(tag: 'meta' | 'link', attributes: Record<string, string>): void {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.head.append(element);
}

function markCurrentLinks(path: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('header a[href],footer a[href]')) {
    if (link.closest('[data-switcher-place],main')) continue;
    if (link.getAttribute('href') === path && !link.hasAttribute('aria-label')) link.ariaCurrent = 'page';
    else link.removeAttribute('aria-current');
  }
}

/** Menus and dialogs are about the page that has been left. The consent banner asks on. */
function closeWhatIsOpen(): void {
  for (const open of document.querySelectorAll<HTMLElement>('[popover]:popover-open')) open.hidePopover();
  for (const open of document.querySelectorAll<HTMLDialogElement>('dialog:modal')) open.close();
}
