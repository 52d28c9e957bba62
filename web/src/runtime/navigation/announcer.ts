/** Announces visible changes to screen readers. */
export function say(text: string): void {
  const announcer = document.querySelector('[data-announcer]');
  if (!announcer) return;
  announcer.textContent = '';
  // A text that comes with the very frame another one left in is taken for the same.
  requestAnimationFrame(() => {
    announcer.textContent = text;
  });
}
