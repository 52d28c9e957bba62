/** Returns whether a visitor has begun to type on the page, which then must not be reloaded. */
import { watchRoute } from '../../lib/route-change.ts';

let hasBegun = false;

export function startTyping(): void {
  addEventListener('input', () => set(true), { capture: true, passive: true });
  watchRoute(() => set(false));
}

export function isTyping(): boolean {
  return hasBegun;
}

function set(value: boolean): void {
  hasBegun = value;
}
