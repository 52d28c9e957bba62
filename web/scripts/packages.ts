/** Which installed packages a build has code of: what the bill of materials and the notices go by. */
import type { Plugin } from 'vite';

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

export class Packages {
  // Copied, not built: what runs others' scripts, fonts, icons; what knows where words break, what draws.
  private readonly browser = new Set([
    '@fontsource-variable/manrope',
    '@fontsource/ibm-plex-sans-arabic',
    '@qwik.dev/partytown',
    'lucide-react',
    'simple-icons',
  ]);
  private readonly rendering = new Set(['@napi-rs/canvas', 'hyphen']);

  /** Notes what stands in the chunks that are written; what was left out of them is no one's. */
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
