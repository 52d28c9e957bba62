/** Remembers how the pointer came to where it is; `find-pointer.ts` tells code that comes later. */
export interface PointerCame {
  target: EventTarget | null;
  pointerType: string;
  /** Of `performance.now()`. */
  at: number;
}

let last: PointerCame | undefined;

export function rememberPointer(): void {
  addEventListener(
    'pointerover',
    ({ target, pointerType }) => {
      last = { target, pointerType, at: performance.now() };
    },
    { capture: true, passive: true },
  );
}

export function lastPointer(): PointerCame | undefined {
  return last;
}
