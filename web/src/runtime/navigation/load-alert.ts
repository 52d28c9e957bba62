/** Says that a page could not be loaded, and offers another try and the browser's own way (decisions: Page runtime). */

const ALERT = '[data-load-alert]';

/** `retry` is called when the visitor asks for another try. */
export function showLoadAlert(href: string, retry: () => void, openDocument: () => void): void {
  const alert = document.querySelector<HTMLElement>(ALERT);
  const link = alert?.querySelector('a');
  const again = alert?.querySelector<HTMLButtonElement>('[data-retry]');
  const close = alert?.querySelector<HTMLButtonElement>('[data-dismiss]');
  if (!alert || !link || !again || !close) return;
  link.href = href;
  link.onclick = (event) => {
    event.preventDefault();
    openDocument();
  };
  again.onclick = () => {
    hideLoadAlert();
    retry();
  };
  close.onclick = hideLoadAlert;
  alert.hidden = false;
}

export function hideLoadAlert(): void {
  document.querySelector(ALERT)?.toggleAttribute('hidden', true);
}
