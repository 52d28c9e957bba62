/** Which section of a long page is current (spec §4 Anchor menu). Pure. */
import { ANCHOR_OFFSET_PX } from '../constants.ts';

export interface Bounds {
  anchor: string;
  /** From the top of the page, in pixels. */
  top: number;
  bottom: number;
}

/** The section whose bounds contain the scroll position minus ANCHOR_OFFSET_PX; none above the first and below the last. */
export function chooseAnchor(sections: readonly Bounds[], scrollY: number): string | null {
  const position = scrollY - ANCHOR_OFFSET_PX;
  return sections.find(({ top, bottom }) => top <= position && position < bottom)?.anchor ?? null;
}
