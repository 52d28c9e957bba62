/** Sections of a sub-menu become tabs (APG): one tab stop, arrows in the direction they point, the panel changes at once. */
const NEXT = { ltr: 'ArrowRight', rtl: 'ArrowLeft' } as const;
const PREVIOUS = { ltr: 'ArrowLeft', rtl: 'ArrowRight' } as const;

/** `onShow` is told of each section that comes to be shown. */
export function startTabs(container: HTMLElement, onShow: (section: HTMLElement) => void): void {
  const sections = [...container.querySelectorAll<HTMLElement>(':scope > [data-tab]')];
  const list = document.createElement('div');
  list.role = 'tablist';
  list.ariaLabel = container.dataset['tabs'] ?? '';
  list.ariaOrientation = 'vertical';
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
    if (section) onShow(section);
  }

  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(index, false));
    tab.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'mouse' && choose(index, false));
  }
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement as HTMLButtonElement);
    const dir = getComputedStyle(list).direction === 'rtl' ? 'rtl' : 'ltr';
    const goal = goalOf(event.key, at, tabs.length, dir);
    if (at < 0 || goal === null) return;
    event.preventDefault();
    choose(goal, true);
  });
  choose(0, false);
}

/** Where a key leads from tab `at` of `count`; null where it leads nowhere. Past the ends it begins again. */
export function goalOf(key: string, at: number, count: number, dir: 'ltr' | 'rtl'): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowDown' || key === NEXT[dir]) return (at + 1) % count;
  if (key === 'ArrowUp' || key === PREVIOUS[dir]) return (at - 1 + count) % count;
  return null;
}

function buildTab(section: HTMLElement): HTMLButtonElement {
  const tab = document.createElement('button');
  tab.type = 'button';
  tab.role = 'tab';
  tab.id = `${section.id}-tab`;
  tab.textContent = section.dataset['tab'] ?? '';
  tab.setAttribute('aria-controls', section.id);
  section.role = 'tabpanel';
  section.setAttribute('aria-labelledby', tab.id);
  return tab;
}
