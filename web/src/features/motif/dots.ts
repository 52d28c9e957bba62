/** A field of dots and the circles in it, a motif: every page has its own. In the units of the chart's square (`EXTENT`). */
import { EXTENT } from './chart.ts';
import { createRandom } from './seed.ts';

export interface Dots {
  /** Of the field, in degrees. */
  turn: number;
  rings: { x: number; y: number; radius: number }[];
}

export const DOTS_APART = 44;
/** A dot's radius. */
export const DOT = 4;
const RINGS = 3;

export function drawDots(seed: number): Dots {
  const random = createRandom(seed);
  const between = (low: number, high: number) => Math.round(low + random() * (high - low));
  const middle = () => between(-EXTENT / 3, EXTENT / 3);
  return {
    turn: between(0, 89),
    rings: Array.from({ length: RINGS }, () => ({ x: middle(), y: middle(), radius: between(120, 520) })),
  };
}
