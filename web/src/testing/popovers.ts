/** Popovers as far as our code uses them: jsdom knows them by name only. Manual ones: nothing closes by itself. */
const OPEN = 'data-popover-open';

export function providePopovers(): void {
  const { prototype } = HTMLElement;
  const matches = Element.prototype.matches;
  function isMatch(this: Element, selector: string): boolean {
    return selector === ':popover-open' ? this.hasAttribute(OPEN) : matches.call(this, selector);
  }
  Object.assign(Element.prototype, { matches: isMatch });
  prototype.showPopover = function show(this: HTMLElement) {
    toggle(this, true);
  };
  prototype.hidePopover = function hide(this: HTMLElement) {
    toggle(this, false);
  };
}

function toggle(popover: HTMLElement, isOpen: boolean): void {
  popover.toggleAttribute(OPEN, isOpen);
  popover.dispatchEvent(Object.assign(new Event('toggle'), { newState: isOpen ? 'open' : 'closed' }));
}
