/**
 * Draws `src/ui/icon/icons.svg`, the one file all icons come from: Lucide (ISC) at a stroke of 1.5, marks of social networks from
 * Simple Icons (CC0), and LinkedIn's, which that set lacks, from Bootstrap Icons (MIT).
 * `node scripts/icons.ts` rewrites it; `--check` says whether it is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Shape = readonly [tag: string, attributes: Record<string, string>];

const target = new URL('../src/ui/icon/icons.svg', import.meta.url);
const openapi: {
  components: {
    schemas: Record<
      string,
      { anyOf?: object[]; properties?: Record<string, { enum?: string[]; anyOf?: { enum?: string[] }[] }> }
    >;
  };
} = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8'));

/** The contract has the icons that editors can choose; this list has the icons of the frame and the blocks. */
const editorial = openapi.components.schemas['OfficeCategory']?.properties?.['icon']?.enum ?? [];
const own = [
  'arrow-left',
  'arrow-right',
  'arrow-up',
  'arrow-up-right',
  'chevron-down',
  'download',
  'eye',
  'languages',
  'mail',
  'menu',
  'pause',
  'phone',
  'plus',
  'play',
  'star',
  'x',
];
const marks: Record<string, string> = {
  facebook: 'facebook',
  xing: 'xing',
  twitter: 'x',
  instagram: 'instagram',
  behance: 'behance',
  dribbble: 'dribbble',
};
const linkedin =
  'M0 1.7C0 .8.8 0 1.8 0h20.5c.9 0 1.7.8 1.7 1.7v20.6c0 .9-.8 1.7-1.8 1.7H1.8c-1 0-1.8-.8-1.8-1.7zm7.4 18.4V9.3H3.8v10.8zM5.6 7.8c1.3 0 2.1-.8 2.1-1.9 0-1-.8-1.9-2-1.9S3.6 4.9 3.6 5.9s.8 1.9 2 1.9m7.4 12.3v-6c0-.4 0-.7.1-.9.3-.6.9-1.3 1.9-1.3 1.3 0 1.8 1 1.8 2.5v5.7h3.6v-6.2c0-3.3-1.8-4.9-4.1-4.9-1.9 0-2.8 1.1-3.3 1.8V9.3H9.4c0 1 0 10.8 0 10.8z';

const packageFolder = (name: string): URL => new URL(`../node_modules/${name}/`, import.meta.url);

async function lucide(id: string): Promise<string> {
  const shapes = await readShapes(id);
  const drawn = shapes.map(([tag, { key: _, ...attributes }]) => {
    const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
    return `<${tag}${written.join('')}/>`;
  });
  return `<symbol id="${id}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${drawn.join('')}</symbol>`;
}

/** An old name is a file that passes on the new one's drawing. */
async function readShapes(name: string): Promise<Shape[]> {
  const file = new URL(`dist/esm/icons/${name}.mjs`, packageFolder('lucide-react'));
  const renamed = readFileSync(file, 'utf8').match(/export \{ default \} from '\.\/(.+)\.mjs'/)?.[1];
  return renamed ? readShapes(renamed) : (await import(file.href)).__iconData.node;
}

function mark(name: string, path: string): string {
  return `<symbol id="${name}" viewBox="0 0 24 24" fill="currentColor"><path d="${path}"/></symbol>`;
}

function brand(name: string, file: string): string {
  const svg = readFileSync(new URL(`icons/${file}.svg`, packageFolder('simple-icons')), 'utf8');
  return mark(name, svg.match(/ d="([^"]+)"/)?.[1] ?? '');
}

const symbols = [
  ...(await Promise.all([...editorial, ...own].sort().map(lucide))),
  ...Object.entries(marks).map(([name, file]) => brand(name, file)),
  mark('linkedin', linkedin),
];
const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><!-- Drawn by scripts/icons.ts from Lucide (ISC), Simple Icons (CC0) and Bootstrap Icons (MIT). -->\n${symbols.join('\n')}\n</svg>\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== drawing) {
    console.error(
      'src/ui/icon/icons.svg is not what the icon sets say: an icon may be missing on the sites. Run `npm run icons` in web/.',
    );
    process.exit(1);
  }
} else writeFileSync(target, drawing);
