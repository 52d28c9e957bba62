/** Whatever has the focus or is scrolled to stays clear of the banner, for as long as that is there. */
export function keepClear(): void {
  const notices = [...document.querySelectorAll<HTMLElement>('section[data-consent-theme]')];
  const measure = () => {
    const covered = `${Math.max(...notices.map((notice) => (isFixed(notice) ? notice.offsetHeight : 0)))}px`;
    // On the two elements that need it, and not as a custom property: that one would have every element styled anew.
    document.documentElement.style.scrollPaddingBlockEnd = covered;
    document.body.style.paddingBlockEnd = covered;
  };
  const observer = new ResizeObserver(measure);
  for (const notice of notices) observer.observe(notice);
}

/** In a low window the notice lies in the page and covers nothing. */
function isFixed(notice: HTMLElement): boolean {
  return getComputedStyle(notice).position === 'fixed';
}
