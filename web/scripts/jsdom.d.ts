/** As much of jsdom as the scripts use. */
declare module 'jsdom' {
  export class VirtualConsole {}
  export class JSDOM {
    constructor(html: string, options?: { runScripts?: 'outside-only'; virtualConsole?: VirtualConsole });
    readonly window: Window & typeof globalThis & { axe: typeof import('axe-core') };
    serialize(): string;
  }
}
