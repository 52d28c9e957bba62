/**
 * The image that networks show for a shared page: its title in its own script, on the page's motif. Drawn by Skia, which shapes
 * Arabic as browsers do. Uses the tokens of the navy background, in sizes for this one frame.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import { type Chart, drawChart, EXTENT, RHUMB_LINES, ROSE_DARK, ROSE_LIT } from '../features/motif/chart.ts';
import { DOT, DOTS_APART, type Dots, drawDots } from '../features/motif/dots.ts';
import type { BrandSettings } from '../rendering/brand.ts';
import type { Assets, Ground } from './assets.ts';

export interface SharingPicture {
  title: string;
  /** The page above, e.g. "Case studies"; may be empty. */
  label: string;
  company: string;
  lang: string;
  dir: 'ltr' | 'rtl';
  /** Seed of the page's motif. */
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

/** Lines of equal depth, as `motif.module.css` draws them: how much of the line's colour is in the ground, and width. */
const DEPTHS: [line: number, width: number][] = [
  [1, 172],
  [0, 170],
  [1, 102],
  [0.3, 100],
  [1, 46],
  [0.55, 44],
];
const LAND = 0.8;
/** The logo's height, and the room between it and the name. */
const LOGO = 42;
const BESIDE = 16;

/** Colours of the dark ground. */
interface Colours {
  ground: string;
  strong: string;
  text: string;
  muted: string;
  line: string;
  lineStrong: string;
  chart: string;
  signal: string;
}

/** Draws for one web build, with the fonts in the folder. Skia is loaded with the first image. */
export class SharingPictures {
  private skia: typeof import('@napi-rs/canvas') | undefined;
  private canvas: Canvas | undefined;
  private families = { ltr: '', rtl: '' };
  private logo: Image | undefined;

  private readonly fonts: URL;
  private readonly brand: BrandSettings;
  private readonly colours: Colours;

  constructor(fonts: URL, { brand, palette }: Pick<Assets, 'brand' | 'palette'>) {
    this.fonts = fonts;
    this.brand = brand;
    this.colours = coloursOf(palette);
  }

  /** A JPEG of 1200 × 630 pixels. */
  draw(picture: SharingPicture): Buffer {
    const { Path2D, canvas } = this.load();
    const context = canvas.getContext('2d');
    context.reset();
    context.lang = picture.lang;
    context.direction = picture.dir;
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, WIDTH, HEIGHT);
    const side = picture.dir === 'rtl' ? -1 : 1;
    const middle = picture.dir === 'rtl' ? MIDDLE : WIDTH - MIDDLE;
    if (this.brand.motif === 'chart') {
      const chart = drawChart(picture.motif);
      paintChart(context, chart, middle, (data) => new Path2D(data), this.colours);
      fade(context, middle, side, this.colours.ground);
      this.paintPosition(context, chart.position, side);
    } else if (this.brand.motif === 'dots') {
      paintDots(context, drawDots(picture.motif), middle, this.colours);
      fade(context, middle, side, this.colours.ground);
    }
    this.paintLogo(context, picture);
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
    context.fillStyle = this.colours.strong;
    for (const [index, line] of lines.entries()) context.fillText(line, start, first + index * leading);
    if (label === '') return;
    context.font = this.font(500, 30, dir);
    context.fillStyle = this.colours.text;
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
    context.fillStyle = this.colours.muted;
    context.textAlign = side === 1 ? 'right' : 'left';
    context.fillText(position, side === 1 ? WIDTH - MARGIN : MARGIN, MARGIN + 24);
    context.restore();
  }

  /** Logo and name, as `ui/brand` has them: in Latin letters, from left to right, at the inline start. */
  private paintLogo(context: SKRSContext2D, { company, dir }: SharingPicture): void {
    context.save();
    context.direction = 'ltr';
    context.font = this.font(600, 34, 'ltr');
    const name = this.brand.nameBeside || !this.logo ? company : '';
    const logo = this.logo ? (LOGO * this.logo.width) / this.logo.height : 0;
    const beside = logo > 0 && name !== '' ? BESIDE : 0;
    const width = logo + beside + context.measureText(name).width;
    context.translate(dir === 'rtl' ? WIDTH - MARGIN - width : MARGIN, MARGIN - 8);
    context.fillStyle = this.colours.strong;
    context.textAlign = 'left';
    context.fillText(name, logo + beside, 33);
    if (this.logo) context.drawImage(this.logo, 0, 0, logo, LOGO);
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
      this.logo = loadLogo(this.brand.logo, this.colours.signal, this.skia.Image);
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

function paintChart(
  context: SKRSContext2D,
  { coast, rose }: Chart,
  middle: number,
  path: MakePath,
  colours: Colours,
): void {
  context.save();
  context.translate(middle, HEIGHT / 2);
  context.scale(SCALE, SCALE);
  context.lineJoin = 'round';
  const isles = path(coast);
  for (const [line, width] of DEPTHS) {
    context.strokeStyle = mix(colours.ground, colours.line, line);
    context.lineWidth = width;
    context.stroke(isles);
  }
  context.fillStyle = mix(colours.ground, colours.line, LAND);
  context.fill(isles);
  context.strokeStyle = colours.lineStrong;
  context.lineWidth = 1.6;
  context.stroke(isles);
  context.translate(rose.x, rose.y);
  context.rotate((rose.deviation * Math.PI) / 180);
  context.strokeStyle = colours.chart;
  context.globalAlpha = 0.45;
  context.stroke(path(RHUMB_LINES));
  context.globalAlpha = 1;
  paintRose(context, path, colours);
  context.restore();
}

function paintRose(context: SKRSContext2D, path: MakePath, colours: Colours): void {
  context.fillStyle = colours.ground;
  context.strokeStyle = colours.lineStrong;
  context.beginPath();
  context.arc(0, 0, 168, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  context.strokeStyle = colours.muted;
  context.stroke(path(ROSE_DARK));
  context.fillStyle = colours.muted;
  context.fill(path(ROSE_LIT));
}

/** Fades the drawing towards its rim and under the title. */
function fade(context: SKRSContext2D, middle: number, side: number, ground: string): void {
  const round = context.createRadialGradient(middle, HEIGHT / 2, 200, middle, HEIGHT / 2, 620);
  round.addColorStop(0, `${ground}00`);
  round.addColorStop(1, ground);
  context.fillStyle = round;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const start = side === 1 ? 0 : WIDTH;
  const across = context.createLinearGradient(start, 0, start + side * (MARGIN + MEASURE), 0);
  across.addColorStop(0.45, `${ground}bf`);
  across.addColorStop(1, `${ground}00`);
  context.fillStyle = across;
  context.fillRect(0, 0, WIDTH, HEIGHT);
}

function paintDots(context: SKRSContext2D, { turn, rings }: Dots, middle: number, colours: Colours): void {
  context.save();
  context.translate(middle, HEIGHT / 2);
  context.scale(SCALE, SCALE);
  context.strokeStyle = colours.lineStrong;
  for (const { x, y, radius } of rings) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  }
  context.rotate((turn * Math.PI) / 180);
  context.fillStyle = colours.chart;
  for (let x = -2 * EXTENT; x <= 2 * EXTENT; x += DOTS_APART) {
    for (let y = -2 * EXTENT; y <= 2 * EXTENT; y += DOTS_APART) {
      context.beginPath();
      context.arc(x, y, DOT, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.restore();
}

/** Of the dark ground, which is the document's own. */
function coloursOf(palette: Ground[]): Colours {
  const own = palette.filter(({ selector, media }) => selector.includes(':root') && media === '');
  const colours: Record<string, string> = Object.assign({}, ...own.map((ground) => ground.colours));
  const colour = (name: string) => colours[`--${name}`] ?? '#888888';
  return {
    ground: colour('ground'),
    strong: colour('strong'),
    text: colour('text'),
    muted: colour('muted'),
    line: colour('line'),
    lineStrong: colour('line-strong'),
    chart: colour('chart'),
    signal: colour('signal'),
  };
}

/** `part` of the one colour in the other, as `#rrggbb`. */
function mix(ground: string, line: string, part: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [ground, line].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16)) as [
      number,
      number,
    ];
    return Math.round(from + (to - from) * part)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** Drawn large to keep all details. The parts in the text's colour get the signal colour here. */
function loadLogo(svg: string, colour: string, Image: typeof import('@napi-rs/canvas').Image): Image | undefined {
  if (svg === '') return;
  const logo = new Image();
  logo.src = Buffer.from(svg.replace('<svg', `<svg color="${colour}"`));
  return logo;
}
