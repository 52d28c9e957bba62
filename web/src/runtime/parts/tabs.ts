/**
 * Sections that stand below one another become tabs (APG): one tab stop, arrows in the direction they point, the panel changes
 * at once. In HTML: `<div data-tabs="name of the list"><div id="…" data-tab="title">`.
 */
const NEXT = { ltr: 'ArrowRight', rtl: 'ArrowLeft' } as const;
const PREVIOUS = { ltr: 'ArrowLeft', rtl: 'ArrowRight' } as const;

interface TabsOptions {
  /** Is told of each section that comes to be shown. */
  onShow?: (section: HTMLElement) => unknown;
  /** Whether a mouse that comes over a tab chooses it, as in a menu. */
  atHover?: boolean;
}

/** Returns a function that opens a section by its own element or one in it. It returns false if there is no such section. */
export function startTabs(
  container: HTMLElement,
  { onShow, atHover = false }: TabsOptions = {},
): (inside: Element) => boolean {
  const sections = [...container.querySelectorAll<HTMLElement>(':scope > [data-tab]')];
  const list = document.createElement('div');
  list.role = 'tablist';
  list.ariaLabel = container.dataset['tabs'] ?? '';
  const tabs = sections.map((section) => buildTab(section));
  list.append(...tabs);
  container.prepend(list);
  container.setAttribute('data-ready', '');

  function choose(chosen: number, focus: boolean): void {
    for (const [index, tab] of tabs.entries()) {
      tab.ariaSelected = String(index === chosen);
      tab.tabIndex = index === chosen ? 0 : -1;
      sections[index]?.toggleAttribute('hidden', index !== chosen);
    }
    if (focus) tabs[chosen]?.focus();
    const section = sections[chosen];
    if (section) onShow?.(section);
  }

  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => {
      choose(index, false);
      tab.scrollIntoView({ block: 'nearest', inline: 'nearest' }); // half of it was in sight, where the list scrolls
    });
    if (atHover)
      tab.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'mouse' && choose(index, false));
  }
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const dir = getComputedStyle(list).direction === 'rtl' ? 'rtl' : 'ltr';
    const goal = goalOf(event.key, at, tabs.length, dir, list.ariaOrientation === 'vertical');
    if (at < 0 || goal === null) return;
    event.preventDefault();
    choose(goal, true);
  });
  // The stylesheet lets it stand or lie, by the room there is.
  const sayOrientation = () => {
    list.ariaOrientation = getComputedStyle(list).flexDirection === 'column' ? 'vertical' : 'horizontal';
  };
  list.addEventListener('focusin', sayOrientation);
  sayOrientation();
  choose(0, false);
  return (inside) => {
    const index = sections.findIndex((section) => section.contains(inside));
    if (index >= 0) choose(index, false);
    return index >= 0;
  };
}

/**
 * Returns the tab that a key moves to from tab `at` of `count`; null for other keys. After the last tab comes the first. If tabs
 * are in a row, up and down scroll the page.
 */
export function goalOf(key: string, at: number, count: number, dir: 'ltr' | 'rtl', isVertical: boolean): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === NEXT[dir] || (isVertical && key === 'ArrowDown')) return (at + 1) % count;
  if (key === PREVIOUS[dir] || (isVertical && key === 'ArrowUp')) return (at - 1 + count) % count;
  return null;
}

function buildTab(section: HTMLElement): HTMLButtonElement {
  const tab = document.createElement('button');
  tab.type = 'button';
  tab.role = 'tab';
  tab.id = `${section.id}_tab`;
  tab.textContent = section.dataset['tab'] ?? '';
  tab.setAttribute('aria-controls', section.id);
  section.role = 'tabpanel';
  section.setAttribute('aria-labelledby', tab.id);
  return tab;
}
