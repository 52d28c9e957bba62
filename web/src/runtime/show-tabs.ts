/** A block's texts become tabs. A link that leads to one of them, or into one, chooses it. Without React. */
import { startTabs } from './tabs.ts';

export async function showTabs(container: HTMLElement, left: AbortSignal): Promise<void> {
  const choose = startTabs(container);
  // A text may hold no link: it is reached with Tab all the same.
  for (const panel of container.querySelectorAll<HTMLElement>(':scope > [role=tabpanel]')) panel.tabIndex = 0;
  const follow = () => {
    const target = findTarget();
    if (target && choose(target)) target.scrollIntoView();
  };
  addEventListener('hashchange', follow, { signal: left });
  follow();
}

/** What the address names: anchors are of small letters, digits and hyphens, so that nothing in them is encoded. */
function findTarget(): HTMLElement | null {
  return document.getElementById(location.hash.slice(1));
}
