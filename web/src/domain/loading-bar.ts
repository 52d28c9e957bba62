/**
 * How far the loading bar is drawn. It is not known how long a page takes, so the bar slows down and never reaches the
 * end by itself. Pure.
 */
import { LOADING_BAR_MINIMUM } from '../constants.ts';

export const START_OF_BAR = LOADING_BAR_MINIMUM;

/** Size of a step by how far the bar is; the last one applies up to the end. */
const STEPS: readonly (readonly [upTo: number, step: number])[] = [
  [0.2, 0.1],
  [0.5, 0.04],
  [0.8, 0.02],
  [0.99, 0.005],
];
const END_OF_BAR = 0.994;

export function nextBarPart(part: number): number {
  const step = STEPS.find(([upTo]) => part < upTo)?.[1] ?? 0;
  return Math.min(part + step, END_OF_BAR);
}
