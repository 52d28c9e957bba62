/** The part of subset-font that is used here; the package has no types of its own. */
declare module 'subset-font' {
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'woff2'; noHinting: boolean },
  ): Promise<Buffer>;
}
