/** A block's texts become tabs. A link that leads to one of them, or into one, chooses it. Without React. */

import type { Part } from '../../runtime/parts/parts.ts';
import { startTabs } from '../../runtime/parts/tabs.ts';

export const part: Part = { on: 'main [data-tabs]', when: 'load' };
export { showTabs as run };

async function showTabs(container: HTMLElement, left: AbortSignal): Promise<void> {
  const choose = startTabs(container);
  // A text may hold no link: it is reached with Tab all the same.
  for (const panel of container.querySelectorAll<HTMLElement>(':scope > [role=tabpanel]')) panel.tabIndex = 0;
  const follow = () => {
    const target = findTarget();
    if (target && choose(target)) target.scrollIntoView();
  };
  addEventListener('hashchange', follow, { signal: left });
  const target = findTarget();
  if (!target || !isMoved(target, container)) return;
  choose(target);
  jumpTo(target);
}

/** In the tabs or below them: what the tabs hide moves it. */
function isMoved(target: HTMLElement, container: HTMLElement): boolean {
  return (container.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/**
 * The browser is on its way already, to where the target stood before there were tabs. What it has covered since the last frame
 * it adds to a jump, so that it takes a second one to arrive.
 */
function jumpTo(target: HTMLElement): void {
  const jump = () => target.scrollIntoView({ behavior: 'instant' });
  jump();
  requestAnimationFrame(() => requestAnimationFrame(jump));
}

/** What the address names: anchors are of small letters, digits and hyphens, so that nothing in them is encoded. */
function findTarget(): HTMLElement | null {
  return document.getElementById(location.hash.slice(1));
}
