import { describe, expect, it } from 'vitest';
import { type Edge, isHeadingFor, type Point } from './menu-aim.ts';

/** A panel as wide as the window, below a menu 72 px high. */
const PANEL: Edge = { start: { x: 0, y: 72 }, end: { x: 1280, y: 72 } };
const from: Point = { x: 400, y: 40 };

/** Returns `steps` points from `a` to `b`, each moved off the line by `jitter`. */
function trace(a: Point, b: Point, steps: number, jitter: readonly number[] = [0]): Point[] {
  return Array.from({ length: steps }, (_, index) => {
    const part = (index + 1) / steps;
    const off = jitter[index % jitter.length] ?? 0;
    return { x: a.x + (b.x - a.x) * part + off, y: a.y + (b.y - a.y) * part };
  });
}

/** Whether each step of a trace heads for the panel, seen from the step before it. */
function heads(points: Point[], start: Point): boolean[] {
  return points.map((point, index) => isHeadingFor(PANEL, points[index - 1] ?? start, point));
}

describe.each([
  ['left to right', (x: number) => x],
  ['right to left', (x: number) => 1280 - x],
] as const)('%s', (_, place) => {
  const at = (x: number, y: number) => ({ x: place(x), y });

  it.each([
    ['straight down', at(400, 71), 8, [0]],
    ['slanting over two neighbours', at(620, 71), 12, [0]],
    ['slowly', at(560, 71), 31, [0]],
    ['with a shaky hand', at(560, 71), 12, [3, -3, 2]],
  ] as const)('on its way to the panel: %s', (_, to, steps, jitter) => {
    expect(heads(trace(at(400, 40), to, steps, jitter), at(400, 40))).not.toContain(false);
  });

  it.each([
    ['along the menu', at(700, 40)],
    ['along the menu and a little up', at(700, 36)],
    ['away from the panel', at(420, 5)],
  ] as const)('going elsewhere: %s', (_, to) => {
    expect(heads(trace(at(400, 40), to, 10), at(400, 40))).not.toContain(true);
  });
});

it('a panel whose edge is given from its other end is the same panel', () => {
  const mirrored = { start: PANEL.end, end: PANEL.start };
  expect(isHeadingFor(mirrored, from, { x: 430, y: 60 })).toBe(true);
  expect(isHeadingFor(mirrored, from, { x: 430, y: 40 })).toBe(false);
});

it('beside a narrow panel nobody heads for it', () => {
  const narrow: Edge = { start: { x: 300, y: 72 }, end: { x: 500, y: 72 } };
  expect(isHeadingFor(narrow, from, { x: 430, y: 60 })).toBe(true);
  expect(isHeadingFor(narrow, from, { x: 700, y: 60 })).toBe(false);
});
