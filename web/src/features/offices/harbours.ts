/** Places offices on the land chart and finds room for their names. */
import type { Office } from '../../contract/types.ts';
import { isOnChart, projectPlace } from '../../ui/land-chart/projection.ts';

export interface Harbour {
  name: string;
  x: number;
  y: number;
  label: { x: number; y: number; anchor: 'start' | 'middle' | 'end' } | null;
}

const LETTER_WIDTH = 5.6;
const LINE_HEIGHT = 11;
const DOT = 4;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Offices outside of the chart are left out. So is the name of an office that has no room on any side. */
export function placeHarbours(offices: Pick<Office, 'city' | 'lat' | 'lng'>[]): Harbour[] {
  const dots = offices.map((office) => ({ name: office.city, ...projectPlace(office) })).filter(isOnChart);
  const taken: Box[] = dots.map(({ x, y }) => ({ left: x - DOT, right: x + DOT, top: y - DOT, bottom: y + DOT }));
  return dots.map(({ name, x, y }, index) => {
    const others = taken.filter((_, other) => other !== index);
    const choice = labelBoxes(name, x, y).find(({ box }) => others.every((other) => !overlap(box, other)));
    if (choice) taken.push(choice.box);
    return { name, x, y, label: choice?.label ?? null };
  });
}

/** Where a name may stand, the best place first. */
function labelBoxes(name: string, x: number, y: number) {
  const width = [...name].length * LETTER_WIDTH;
  const places = [
    { anchor: 'start', dx: 8, dy: 4 },
    { anchor: 'end', dx: -8, dy: 4 },
    { anchor: 'middle', dx: 0, dy: -8 },
    { anchor: 'middle', dx: 0, dy: 16 },
    { anchor: 'start', dx: 6, dy: -5 },
    { anchor: 'start', dx: 6, dy: 13 },
    { anchor: 'end', dx: -6, dy: -5 },
    { anchor: 'end', dx: -6, dy: 13 },
  ] as const;
  return places.map(({ anchor, dx, dy }) => {
    const left = x + dx - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0);
    const baseline = y + dy;
    const box: Box = { left, right: left + width, top: baseline - LINE_HEIGHT + 2, bottom: baseline + 2 };
    return { label: { x: x + dx, y: baseline, anchor }, box };
  });
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
