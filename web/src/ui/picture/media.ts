import type { Picture } from '../../contract/types.ts';

/** Widths below which the tablet's and the mobile crop of a picture are shown. */
export const TABLET_BELOW = '(width < 1280px)';
export const MOBILE_BELOW = '(width < 768px)';

/**
 * `data-focus` of a picture whose focal point is not the middle, in steps that `tokens/focus.css` has: `x30 y100`. Policies of
 * pages forbid style attributes.
 */
export function focusOf(focus: Picture['focus'] | undefined): string | undefined {
  if (!focus) return;
  const step = (percent: number) => 10 * Math.round(percent / 10);
  const [x, y] = [step(focus.x), step(focus.y)];
  return x === 50 && y === 50 ? undefined : `x${x} y${y}`;
}
