/** Lists the installed packages whose code is in a build, for the bill of materials and the notices. */
import type { Plugin } from 'vite';

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

export class Packages {
  // Copied without bundling: fonts, icons, Partytown, hyphenation and drawing.
  private readonly browser = new Set([
    '@fontsource-variable/manrope',
    '@fontsource/ibm-plex-sans-arabic',
    '@qwik.dev/partytown',
    'lucide-react',
    'simple-icons',
  ]);
  private readonly rendering = new Set(['@napi-rs/canvas', 'hyphen']);

  /** Notes the modules in the written chunks; removed modules do not count. */
  note(where: 'browser' | 'rendering'): Plugin {
    return {
      name: `packages-of-${where}`,
      applyToEnvironment: ({ name }) => (name === 'client') === (where === 'browser'),
      generateBundle: (_, bundle) => {
        for (const chunk of Object.values(bundle))
          for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
            const name = PACKAGE.exec(id)?.[1];
            if (name) this[where].add(name);
          }
      },
    };
  }

  /** Sorted, so that equal builds say the same. */
  list(): Record<'browser' | 'rendering', string[]> {
    return { browser: [...this.browser].sort(), rendering: [...this.rendering].sort() };
  }
}
