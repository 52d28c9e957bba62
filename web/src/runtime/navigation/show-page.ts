/** Replaces the present page: head, main part, and the parts of the frame that depend on the page. */
import type { PageData } from '../../contract/types.ts';
import { OWN_PROPERTIES, openGraph } from '../../domain/open-graph.ts';
import { trusted } from '../../lib/trusted.ts';
import { layOutAll } from '../lay-out.ts';

export function showPage(page: PageData): void {
  layOutAll();
  showHead(page);
  const main = findMain();
  main.innerHTML = trusted.createHTML(page.html);
  main.dataset['template'] = page.template;
  const { dataset } = document.documentElement;
  if (page.fallback) dataset['fallback'] = page.fallback;
  else delete dataset['fallback'];
  document.querySelector('[data-header]')?.toggleAttribute('data-transparent', page.header === 'transparent');
  const switcher = document.querySelector('[data-switcher-place]');
  if (switcher) switcher.innerHTML = trusted.createHTML(page.switcher);
  markCurrentLinks(page.path);
  closeWhatIsOpen();
}

export function findMain(): HTMLElement {
  const main = document.querySelector('main');
  if (!main) throw new Error('The document has no main part.');
  return main;
}

/** As the document's head says it (`document/head.tsx`). */
function showHead(page: PageData): void {
  const { title, description, robots, canonical, alternates } = page.head;
  const own = OWN_PROPERTIES.map((property) => `[property="${property}"]`);
  // Structured data goes for good: search engines load documents, and are told in each.
  const old = ['[name=description],[name=robots],[rel=canonical],[rel=alternate],[type$="ld+json"]', ...own].join();
  for (const element of document.head.querySelectorAll(old)) element.remove();
  document.title = title;
  append('meta', { name: 'description', content: description });
  if (robots !== null) append('meta', { name: 'robots', content: robots });
  if (canonical !== null) append('link', { rel: 'canonical', href: canonical });
  for (const [property, content] of openGraph(page)) append('meta', { property, content });
  for (const { hreflang, href } of alternates) append('link', { rel: 'alternate', hreflang, href });
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
