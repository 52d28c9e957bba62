/**
 * Links from a site in another language to the international site open a notice first (spec §2 Footer; decisions: Other).
 * Clicks that open a new tab are left alone, and so is the language switcher, whose labels name the language.
 */
import { isPlainClick } from '../../../lib/plain-click.ts';

export function noticeLanguage(): void {
  const { international } = document.documentElement.dataset;
  const notice = document.querySelector<HTMLDialogElement>('[data-language-notice]');
  const onward = notice?.querySelector('a');
  if (!international || !notice || !onward) return;
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== international || link.closest('[data-switcher],[data-language-notice]')) return;
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    onward.href = link.href;
    notice.showModal();
  });
}
