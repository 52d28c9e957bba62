/**
 * The portolan chart, a motif that every page has of its own: a compass rose, the rhumb lines that meet in it, isles with the depths around
 * them. A function of the seed alone, in whole units of a square of 2 × EXTENT, so that its SVG is short and always the same.
 */
import { createRandom } from './seed.ts';

export interface Chart {
  /** Where the rose stands, as a translation, and how far its north deviates from the page's, in degrees. */
  rose: { x: number; y: number; deviation: number };
  /** Coastlines of all isles, as the data of one path. */
  coast: string;
  /** Depths in fathoms, printed where the water is. */
  soundings: { x: number; y: number; fathoms: number }[];
  /** Where the chart claims to be, e.g. `54° 20' N  7° 05' E`. */
  position: string;
}

/** Half the side of the square that is drawn. */
export const EXTENT = 800;
/** Radius of the hidden circle on which the secondary roses stand, as in the charts of the 14th century. */
const CIRCLE = 620;
const WINDS = 16;
const ISLES = 3;
const SOUNDINGS = 14;
/** How often a coast swings in and out on its way round. */
const BAYS = [2, 3, 5, 8, 13];

/** Links that stand on many pages show the charts of theirs: each is drawn once. */
const KEPT = 2000;
const kept = new Map<number, Chart>();

export function drawChart(seed: number): Chart {
  const known = kept.get(seed);
  if (known) return known;
  const chart = draw(seed);
  const [oldest = seed] = kept.keys();
  if (kept.size >= KEPT) kept.delete(oldest);
  kept.set(seed, chart);
  return chart;
}

function draw(seed: number): Chart {
  const random = createRandom(seed);
  const between = (low: number, high: number) => Math.round(low + random() * (high - low));
  const rose = { x: between(-60, 60), y: between(-70, 70), deviation: between(-9, 9) };
  const bearing = random() * 360;
  const isles = Array.from({ length: ISLES }, (_, index) => ({
    ...polar(between(330, 520), bearing + index * 120 + between(-25, 25)),
    radius: between(60, index === 0 ? 190 : 130),
  }));
  const soundings = Array.from({ length: SOUNDINGS }, () => ({
    x: between(-700, 700),
    y: between(-600, 600),
    fathoms: between(4, 90),
  }));
  return {
    rose,
    coast: isles.map((isle) => drawCoast(isle, random)).join(''),
    soundings: soundings.filter(
      ({ x, y }) =>
        isles.every((isle) => Math.hypot(x - isle.x, y - isle.y) > isle.radius * 1.5) && Math.hypot(x, y) > 230,
    ),
    position: `${between(34, 61)}° ${twoDigits(between(0, 59))}' N  ${between(1, 29)}° ${twoDigits(between(0, 59))}' ${random() < 0.5 ? 'E' : 'W'}`,
  };
}

/** Rhumb lines: three stars of 16 points, and the 16 winds through the middle. The same on every chart; only turned. */
export const RHUMB_LINES = [3, 5, 7].map(drawStar).join('') + drawWinds();

/** The rose's eight points; each has a lit and a dark side. */
export const ROSE_LIT = drawRose(1);
export const ROSE_DARK = drawRose(-1);

function drawStar(step: number): string {
  return `${Array.from({ length: WINDS }, (_, index) => `${index === 0 ? 'M' : 'L'}${print(polar(CIRCLE, (index * step * 360) / WINDS))}`).join('')}z`;
}

function drawWinds(): string {
  return Array.from({ length: WINDS }, (_, index) => {
    const end = polar(EXTENT * 1.4, (index * 180) / WINDS);
    return `M${print(end)}L${print({ x: -end.x, y: -end.y })}`;
  }).join('');
}

function drawRose(side: 1 | -1): string {
  return Array.from({ length: 8 }, (_, index) => {
    const bearing = index * 45;
    const tip = polar(index % 2 === 0 ? 150 : 92, bearing);
    return `M0 0L${print(tip)}L${print(polar(34, bearing + side * 22.5))}z`;
  }).join('');
}

/** A ragged ring: ever finer bays, each half as deep as the last, and a last bit of chance at every point. */
function drawCoast({ x, y, radius }: { x: number; y: number; radius: number }, random: () => number): string {
  const count = Math.round(radius / 4.2);
  const bays = BAYS.map((often) => ({ often, deep: (random() * 0.5 + 0.35) / often, phase: random() * Math.PI * 2 }));
  let path = '';
  let last = { x: 0, y: 0 };
  for (let index = 0; index < count; index += 1) {
    const turn = (index / count) * Math.PI * 2;
    let reach = 1;
    for (const { often, deep, phase } of bays) reach += deep * Math.sin(turn * often + phase);
    const away = polar(radius * (reach + (random() - 0.5) * 0.07), (turn * 180) / Math.PI);
    const point = { x: Math.round(x + away.x * 1.2), y: Math.round(y + away.y * 0.9) };
    const step = { x: point.x - last.x, y: point.y - last.y };
    path += index === 0 ? `M${print(point)}l` : `${index > 1 && step.x >= 0 ? ' ' : ''}${print(step)}`;
    last = point;
  }
  return `${path}z`;
}

function polar(distance: number, bearing: number): { x: number; y: number } {
  const angle = (bearing * Math.PI) / 180;
  return { x: Math.round(distance * Math.sin(angle)), y: Math.round(-distance * Math.cos(angle)) };
}

function print({ x, y }: { x: number; y: number }): string {
  return y < 0 ? `${x}${y}` : `${x} ${y}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
