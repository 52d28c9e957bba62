/** Skia and the fonts for sharing pictures, next to the render worker. */
import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile } from 'node:fs/promises';

const MODULES = new URL('../node_modules/', import.meta.url);
const SKIA = '@napi-rs/';
/** Each letter is drawn with the first of these, by name, that has it. */
const FONTS = [
  ...['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext'].map(
    (letters) => `@fontsource-variable/manrope/files/manrope-${letters}-wght-normal.woff2`,
  ),
  '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff2',
];
/** The code that draws pictures. Its digest also covers the fonts and Skia's version. */
const SOURCES = ['document/sharing-picture', 'features/motif/chart', 'features/motif/dots', 'features/motif/seed'].map(
  (name) => `src/${name}.ts`,
);

/** Puts Skia and the fonts into the worker's folder. */
export async function copyDrawing(server: URL): Promise<void> {
  const fonts = new URL('fonts/', server);
  await mkdir(fonts);
  for (const font of FONTS) await place(new URL(font, MODULES), new URL(font.replace(/^.*\//, ''), fonts));
  for (const name of await readdir(new URL(SKIA, MODULES))) {
    if (!name.startsWith('canvas')) continue;
    const target = new URL(`node_modules/${SKIA}${name}/`, server);
    await mkdir(target, { recursive: true });
    for (const entry of await readdir(new URL(`${SKIA}${name}`, MODULES), { withFileTypes: true })) {
      if (entry.isFile()) await place(new URL(`${SKIA}${name}/${entry.name}`, MODULES), new URL(entry.name, target));
    }
  }
}

/** Returns a digest of the drawing code, fonts and Skia. If it changes, all pictures are drawn again. */
export async function drawingDigest(): Promise<string> {
  const files = [
    ...SOURCES.map((source) => new URL(`../${source}`, import.meta.url)),
    ...FONTS.map((font) => new URL(font, MODULES)),
    new URL(`${SKIA}canvas/package.json`, MODULES),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Skia weighs 30 MB: a second name for it where the file system has such, else a copy. */
async function place(source: URL, target: URL): Promise<void> {
  await link(source, target).catch(() => copyFile(source, target));
}
