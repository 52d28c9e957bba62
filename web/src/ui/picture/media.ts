import type { Picture } from '../../contract/types.ts';

/** Widths below which the tablet's and the mobile crop of a picture are shown. */
export const TABLET_BELOW = '(width < 1280px)';
export const MOBILE_BELOW = '(width < 768px)';

/**
 * `data-focus` of a picture whose focal point is not the middle, digit by digit as `tokens/focus.css` has them: `x30 x_2 y100`
 * for 32 % and 100 %. Policies of pages forbid style attributes.
 */
export function focusOf(focus: Picture['focus'] | undefined): string | undefined {
  if (!focus || (focus.x === 50 && focus.y === 50)) return;
  const digits = (axis: string, percent: number) => [
    `${axis}${percent - (percent % 10)}`,
    ...(percent % 10 ? [`${axis}_${percent % 10}`] : []),
  ];
  return [...digits('x', focus.x), ...digits('y', focus.y)].join(' ');
}
