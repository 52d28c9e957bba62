/** Keeps focused elements and scroll targets clear of the banner while that is shown. */
export function keepClear(): void {
  const notices = [...document.querySelectorAll<HTMLElement>('section[data-consent-theme]')];
  const measure = () => {
    const covered = `${Math.max(...notices.map((notice) => (isFixed(notice) ? notice.offsetHeight : 0)))}px`;
    // Set on the two elements that need it and not as a custom property, which would restyle every element.
    document.documentElement.style.scrollPaddingBlockEnd = covered;
    document.body.style.paddingBlockEnd = covered;
  };
  const observer = new ResizeObserver(measure);
  for (const notice of notices) observer.observe(notice);
}

/** In a low window the notice is part of the page and covers no content. */
function isFixed(notice: HTMLElement): boolean {
  return getComputedStyle(notice).position === 'fixed';
}
