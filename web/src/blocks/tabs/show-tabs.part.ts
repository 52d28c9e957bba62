/**
 * Turns a block's texts into tabs. A link to a tab, or to an element in it, opens the tab. Returning visitors find their last
 * tab open. Without React.
 */
import { keepInEntry, readFromEntry } from '../../lib/history-entry.ts';
import { isBack, stayInPlace } from '../../runtime/navigation/scroll-memory.ts';
import type { Part } from '../../runtime/parts/parts.ts';
import { startTabs } from '../../runtime/parts/tabs.ts';

export const part: Part = { on: 'main [data-tabs]', when: 'load' };
export { showTabs as run };

async function showTabs(container: HTMLElement, left: AbortSignal): Promise<void> {
  const name = container.dataset['remembers'] ?? '';
  const kept = readFromEntry(name);
  let isReady = false;
  const onShow = ({ id }: HTMLElement) => isReady && keepInEntry(name, id);
  const choose = stayInPlace(() => {
    const choose = startTabs(container, { onShow });
    const target = kept === undefined ? isBack() && findTarget() : document.getElementById(String(kept));
    if (target) choose(target);
    return choose;
  });
  isReady = true;
  // A text may hold no link: it is reached with Tab all the same.
  for (const panel of container.querySelectorAll<HTMLElement>(':scope > [role=tabpanel]')) panel.tabIndex = 0;
  const follow = () => {
    const target = findTarget();
    if (target && choose(target) && !isBack()) target.scrollIntoView();
  };
  addEventListener('hashchange', follow, { signal: left });
  const target = isBack() ? null : findTarget();
  if (!target || !isMoved(target, container)) return;
  choose(target);
  jumpTo(target);
}

/** Returns whether the target is in the tabs or below them, so that hiding texts moves it. */
function isMoved(target: HTMLElement, container: HTMLElement): boolean {
  return (container.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/**
 * The browser is already scrolling to the target's place before the tabs. It adds the distance of the last frame to a jump, so
 * a second jump is needed.
 */
function jumpTo(target: HTMLElement): void {
  const jump = () => target.scrollIntoView({ behavior: 'instant' });
  jump();
  requestAnimationFrame(() => requestAnimationFrame(jump));
}

/** The hash of the address. Anchors are lower-case letters, digits and hyphens, so no decoding is needed. */
function findTarget(): HTMLElement | null {
  return document.getElementById(location.hash.slice(1));
}
