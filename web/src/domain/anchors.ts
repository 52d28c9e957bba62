/** Which section of a long page is current (spec §4 Anchor menu; decisions: Which site has which pages). Pure. */
import { ANCHOR_OFFSET_PX } from '../constants.ts';

export interface Bounds {
  anchor: string;
  /** From the top of the page, in pixels. */
  top: number;
  bottom: number;
}

/** The section whose bounds, moved up by ANCHOR_OFFSET_PX, contain the scroll position; none above the first and below the last. */
export function chooseAnchor(sections: readonly Bounds[], scrollY: number): string | null {
  const position = scrollY + ANCHOR_OFFSET_PX;
  return sections.find(({ top, bottom }) => top <= position && position < bottom)?.anchor ?? null;
}

/**
 * A followed link to a section of the page. The section is current while the page stays at the link's target, independent of
 * its bounds: the last sections of a page cannot be scrolled up as far as others.
 */
export interface Followed {
  anchor: string;
  hasArrived: boolean;
}

/** Browsers round scroll positions. */
const ARRIVED_WITHIN_PX = 1;

/**
 * Returns the followed link after the page was scrolled for any reason, or null if it is left. `distance`: from the link's
 * target to the page's position; `hasEnded`: this scrolling is over.
 */
export function followOn(followed: Followed, distance: number, hasEnded: boolean): Followed | null {
  if (Math.abs(distance) <= ARRIVED_WITHIN_PX) return { ...followed, hasArrived: true };
  return followed.hasArrived || hasEnded ? null : followed;
}
