/** Lists that the build makes of the files there are: `scripts/browser-code.ts`. */
declare module 'virtual:parts' {
  export const PARTS: readonly import('../runtime/parts/parts.ts').AwaitedPart[];
}

declare module 'virtual:islands' {
  export const ISLANDS: import('../runtime/islands/islands.ts').IslandLoaders;
}
