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
 * A link into the page that was followed. As long as the page stays where the link has led, the link's section is
 * current, whatever its bounds are: the last sections of a page cannot be scrolled up as far as others.
 */
export interface Followed {
  anchor: string;
  hasArrived: boolean;
}

/** Browsers round scroll positions. */
const ARRIVED_WITHIN_PX = 1;

/**
 * The followed link after the page was scrolled for any reason; null if it no longer counts. `distance`: how far the
 * page is from where the link leads; `hasEnded`: this scrolling is over.
 */
export function followOn(followed: Followed, distance: number, hasEnded: boolean): Followed | null {
  if (Math.abs(distance) <= ARRIVED_WITHIN_PX) return { ...followed, hasArrived: true };
  return followed.hasArrived || hasEnded ? null : followed;
}
