/**
 * Where the pointer is going (`docs/page-runtime.md`, G60, G61): while it heads for the open panel it may cross other menu items. Pure
 * geometry, in the coordinates of the viewport; mirrored by itself, because the corners are those of the panel as it lies.
 */
export interface Point {
  x: number;
  y: number;
}

/** The edge of a panel that lies next to the menu. */
export interface Edge {
  start: Point;
  end: Point;
}

/** How far the pointer may go beyond the panel's corners, because hands shake. */
export const TOLERANCE_PX = 20;

/** Returns whether `pointer` is in the triangle between its earlier position `from` and the panel's edge. */
export function isHeadingFor(edge: Edge, from: Point, pointer: Point): boolean {
  const [left, right] = edge.start.x <= edge.end.x ? [edge.start, edge.end] : [edge.end, edge.start];
  const a = { x: left.x - TOLERANCE_PX, y: left.y };
  const b = { x: right.x + TOLERANCE_PX, y: right.y };
  // The triangle needs a step towards the panel: a pointer that moves along the menu does not aim at it.
  if (Math.abs(pointer.y - edge.start.y) >= Math.abs(from.y - edge.start.y)) return false;
  const sides = [side(pointer, from, a), side(pointer, a, b), side(pointer, b, from)];
  return sides.every((value) => value >= 0) || sides.every((value) => value <= 0);
}

function side(p: Point, a: Point, b: Point): number {
  return (p.x - b.x) * (a.y - b.y) - (a.x - b.x) * (p.y - b.y);
}
