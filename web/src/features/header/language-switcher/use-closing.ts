import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect } from 'react';
import { lastPointer } from '../../../runtime/pointer.ts';

/** When an open list closes. Gives what the list itself has to listen for. */
export function useClosing(list: RefObject<HTMLDetailsElement | null>) {
  function close() {
    if (list.current) list.current.open = false;
  }
  /** A click leaves the focus on the button too; only a keyboard's is one to be seen. */
  function onMouseLeave() {
    if (!list.current?.querySelector(':focus-visible')) close();
  }
  function onBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !list.current?.open) return;
    event.stopPropagation();
    close();
    list.current.querySelector('summary')?.focus();
  }

  useEffect(() => {
    const isOutside = ({ target }: { target: EventTarget | null }) =>
      target instanceof Node && !list.current?.contains(target);
    const closeElsewhere = (click: Event) => isOutside(click) && close();
    // Opened by the browser, and left, while this code was on its way.
    const pointer = lastPointer();
    if (pointer && isOutside(pointer)) onMouseLeave();
    document.addEventListener('click', closeElsewhere);
    return () => document.removeEventListener('click', closeElsewhere);
  });

  return { onMouseLeave, onBlur, onKeyDown };
}
