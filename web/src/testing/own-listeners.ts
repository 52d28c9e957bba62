import { afterEach, beforeEach, vi } from 'vitest';

/** Removes a test's listeners after it: all tests of a file share one document and window. */
export function ownListeners(...targets: EventTarget[]): void {
  let added: [
    target: EventTarget,
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    capture: boolean,
  ][];
  beforeEach(() => {
    added = [];
    for (const target of targets) {
      const add = target.addEventListener.bind(target);
      vi.spyOn(target, 'addEventListener').mockImplementation(
        (
          type: string,
          listener: EventListenerOrEventListenerObject | null,
          options?: boolean | AddEventListenerOptions,
        ) => {
          added.push([target, type, listener, options === true || (typeof options === 'object' && !!options.capture)]);
          add(type, listener, options);
        },
      );
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
    for (const [target, type, listener, capture] of added) target.removeEventListener(type, listener, capture);
  });
}
