/** The menu's script. Fetched when a visitor comes to the header: links and popovers work before. */

import type { Part } from '../../runtime/parts/parts.ts';
import { startTabs } from '../../runtime/parts/tabs.ts';
import { showLatestNews } from './browser/latest-news.ts';
import { startMobileMenu } from './browser/mobile-menu.ts';
import { startSubmenus } from './browser/submenus.ts';

export const part: Part = { on: '[data-header]', when: 'touch' };
export { startMenu as run };

async function startMenu(header: HTMLElement): Promise<void> {
  const menu = header.querySelector<HTMLElement>('[data-menu]');
  if (!menu) return;
  startSubmenus(menu);
  startMobileMenu(header);
  for (const tabs of menu.querySelectorAll<HTMLElement>('[data-tabs]')) prepareTabs(tabs);
}

/** A section counts as shown only while its panel is open: nothing is asked of the API before. */
function prepareTabs(container: HTMLElement): void {
  const panel = container.closest<HTMLElement>('[data-panel]');
  const fill = () => {
    if (!panel?.matches(':popover-open')) return;
    for (const news of container.querySelectorAll<HTMLElement>('[data-tab]:not([hidden]) [data-menu-news]'))
      void showLatestNews(news);
  };
  startTabs(container, { onShow: fill, atHover: true });
  panel?.addEventListener('toggle', fill);
}
