/**
 * The picture that is shown where somebody shares a page: its title in its own script, on the page's chart. Drawn by Skia,
 * which shapes Arabic as browsers do. The tokens of the navy ground, in the measures of this one frame.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { type Chart, drawChart, RHUMB_LINES, ROSE_DARK, ROSE_LIT } from '../features/motif/chart.ts';

export interface SharingPicture {
  title: string;
  /** The page above, e.g. "Case studies"; may be empty. */
  label: string;
  company: string;
  lang: string;
  dir: 'ltr' | 'rtl';
  /** Seed of the page's chart. */
  motif: number;
}

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 72;
/** Width that a title may take: the rose stays in sight. */
const MEASURE = 760;
const SIZES = [80, 72, 64, 56, 48];
const LINES = 4;
/** Sizes above it get one line less. */
const LARGE = 64;
const STEP = 10;

/** First word, and the one after the last. */
type Line = [from: number, to: number];

/** Chart units to pixels, and where its middle stands, from the inline end. */
const SCALE = 0.62;
const MIDDLE = 250;
const QUALITY = 64;

const GROUND = '#020d1c';
const STRONG = '#fff';
const TEXT = '#b8c4d4';
const MUTED = '#8a9ab0';
const LINE = '#1a2a40';
const LINE_STRONG = '#44576f';
const CHART = '#33465f';
const SIGNAL = '#ffdb00';
/** Lines of equal depth, as `motif.module.css` draws them: stroke and width, from the deep to the coast. */
const DEPTHS: [stroke: string, width: number][] = [
  [LINE, 172],
  [GROUND, 170],
  [LINE, 102],
  ['#091627', 100],
  [LINE, 46],
  ['#0f1d30', 44],
];

/** Draws for one web build, whose fonts lie in the folder. Skia is loaded with the first picture. */
export class SharingPictures {
  private skia: typeof import('@napi-rs/canvas') | undefined;
  private canvas: Canvas | undefined;
  private families = { ltr: '', rtl: '' };

  private readonly fonts: URL;

  constructor(fonts: URL) {
    this.fonts = fonts;
  }

  /** A JPEG of 1200 × 630 pixels. */
  draw(picture: SharingPicture): Buffer {
    const { Path2D, canvas } = this.load();
    const context = canvas.getContext('2d');
    context.reset();
    context.lang = picture.lang;
    context.direction = picture.dir;
    context.fillStyle = GROUND;
    context.fillRect(0, 0, WIDTH, HEIGHT);
    const chart = drawChart(picture.motif);
    const side = picture.dir === 'rtl' ? -1 : 1;
    const middle = picture.dir === 'rtl' ? MIDDLE : WIDTH - MIDDLE;
    paintChart(context, chart, middle, (data) => new Path2D(data));
    fade(context, middle, side);
    paintMark(context, picture, this.font(600, 34, 'ltr'), (data) => new Path2D(data));
    this.paintPosition(context, chart.position, side);
    this.paintTitle(context, picture);
    return canvas.encodeSync('jpeg', QUALITY);
  }

  private paintTitle(context: SKRSContext2D, { title, label, dir }: SharingPicture): void {
    const start = dir === 'rtl' ? WIDTH - MARGIN : MARGIN;
    context.textAlign = 'start';
    const { size, lines } = this.fit(context, title, dir);
    const leading = Math.round(size * (dir === 'rtl' ? 1.36 : 1.12));
    const bottom = HEIGHT - MARGIN - 8;
    const first = bottom - (lines.length - 1) * leading;
    context.fillStyle = STRONG;
    for (const [index, line] of lines.entries()) context.fillText(line, start, first + index * leading);
    if (label === '') return;
    context.font = this.font(500, 30, dir);
    context.fillStyle = TEXT;
    context.fillText(label, start, first - leading * (dir === 'rtl' ? 0.95 : 1.1));
  }

  /** The largest size in which the title needs no more lines than there is room for. */
  private fit(context: SKRSContext2D, title: string, dir: SharingPicture['dir']): { size: number; lines: string[] } {
    const words = title.split(/\s+/);
    let fitting = { size: 0, lines: [title] };
    for (const size of SIZES) {
      context.font = this.font(700, size, dir);
      const widths = words.map((word) => context.measureText(word).width);
      const lines = breakEvenly(widths, context.measureText(' ').width, MEASURE);
      fitting = { size, lines: lines.map(([from, to]) => words.slice(from, to).join(' ')) };
      if (lines.length <= (size > LARGE ? LINES - 1 : LINES) && Math.max(...widths) <= MEASURE) break;
    }
    return fitting;
  }

  private paintPosition(context: SKRSContext2D, position: string, side: number): void {
    context.save();
    context.direction = 'ltr';
    context.font = this.font(500, 20, 'ltr');
    context.fillStyle = MUTED;
    context.textAlign = side === 1 ? 'right' : 'left';
    context.fillText(position, side === 1 ? WIDTH - MARGIN : MARGIN, MARGIN + 24);
    context.restore();
  }

  private font(weight: number, size: number, dir: SharingPicture['dir']): string {
    return `${weight} ${size}px ${this.families[dir]}`;
  }

  private load() {
    if (!this.skia) {
      this.skia = createRequire(import.meta.url)('@napi-rs/canvas') as typeof import('@napi-rs/canvas');
      const names = readdirSync(this.fonts).sort().reverse();
      for (const name of names) this.skia.GlobalFonts.register(readFileSync(new URL(name, this.fonts)), name);
      // Letter by letter, the first that has it: Latin before Arabic, whose font has stops and spaces of its own.
      const quoted = names.map((name) => `"${name}"`);
      this.families = { ltr: quoted.join(', '), rtl: quoted.reverse().join(', ') };
      this.canvas = this.skia.createCanvas(WIDTH, HEIGHT);
    }
    return { Path2D: this.skia.Path2D, canvas: this.canvas as Canvas };
  }
}

/** Lines about equally long, and no more of them than the measure asks for. */
export function breakEvenly(widths: number[], space: number, measure: number): Line[] {
  const widest = Math.max(...widths);
  const lines = breakLines(widths, space, measure);
  let even = lines;
  for (let narrower = measure - STEP; narrower >= widest; narrower -= STEP) {
    const tried = breakLines(widths, space, narrower);
    if (tried.length > lines.length) break;
    even = tried;
  }
  return even;
}

function breakLines(widths: number[], space: number, measure: number): Line[] {
  const lines: Line[] = [];
  let from = 0;
  let width = 0;
  for (const [index, word] of widths.entries()) {
    const wider = width === 0 ? word : width + space + word;
    if (wider > measure && index > from) {
      lines.push([from, index]);
      from = index;
      width = word;
    } else width = wider;
  }
  return [...lines, [from, widths.length]];
}

type MakePath = (data: string) => import('@napi-rs/canvas').Path2D;

function paintChart(context: SKRSContext2D, { coast, rose }: Chart, middle: number, path: MakePath): void {
  context.save();
  context.translate(middle, HEIGHT / 2);
  context.scale(SCALE, SCALE);
  context.lineJoin = 'round';
  const isles = path(coast);
  for (const [stroke, width] of DEPTHS) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.stroke(isles);
  }
  context.fillStyle = '#162439';
  context.fill(isles);
  context.strokeStyle = LINE_STRONG;
  context.lineWidth = 1.6;
  context.stroke(isles);
  context.translate(rose.x, rose.y);
  context.rotate((rose.deviation * Math.PI) / 180);
  context.strokeStyle = CHART;
  context.globalAlpha = 0.45;
  context.stroke(path(RHUMB_LINES));
  context.globalAlpha = 1;
  paintRose(context, path);
  context.restore();
}

function paintRose(context: SKRSContext2D, path: MakePath): void {
  context.fillStyle = GROUND;
  context.strokeStyle = LINE_STRONG;
  context.beginPath();
  context.arc(0, 0, 168, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  context.strokeStyle = MUTED;
  context.stroke(path(ROSE_DARK));
  context.fillStyle = MUTED;
  context.fill(path(ROSE_LIT));
}

/** The chart fades towards its rim, and under the title. */
function fade(context: SKRSContext2D, middle: number, side: number): void {
  const round = context.createRadialGradient(middle, HEIGHT / 2, 200, middle, HEIGHT / 2, 620);
  round.addColorStop(0, 'rgb(2 13 28 / 0)');
  round.addColorStop(1, 'rgb(2 13 28 / 1)');
  context.fillStyle = round;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const start = side === 1 ? 0 : WIDTH;
  const across = context.createLinearGradient(start, 0, start + side * (MARGIN + MEASURE), 0);
  across.addColorStop(0.45, 'rgb(2 13 28 / 0.75)');
  across.addColorStop(1, 'rgb(2 13 28 / 0)');
  context.fillStyle = across;
  context.fillRect(0, 0, WIDTH, HEIGHT);
}

/** The mark and the name, as `ui/brand` has them: in Latin letters, from left to right, at the inline start. */
function paintMark(context: SKRSContext2D, { company, dir }: SharingPicture, font: string, path: MakePath): void {
  context.save();
  context.direction = 'ltr';
  context.font = font;
  const width = 58 + context.measureText(company).width;
  context.translate(dir === 'rtl' ? WIDTH - MARGIN - width : MARGIN, MARGIN - 8);
  context.fillStyle = STRONG;
  context.textAlign = 'left';
  context.fillText(company, 58, 33);
  context.scale(1.5, 1.5);
  context.strokeStyle = SIGNAL;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(14, 14, 12.5, 0, 2 * Math.PI);
  context.stroke();
  context.stroke(path('M14 1.5v4M14 22.5v4M1.5 14h4M22.5 14h4'));
  context.fillStyle = SIGNAL;
  context.fill(path('M18.6 6.2 11.3 11.3 9.4 21.8l7.3-5.1z'));
  context.restore();
}
