/**
 * The order of the cascade, independent of the order of imports. Each rule is in the layer of its folder, and a later layer wins
 * over an earlier one. Rules for other colours or another medium win over all.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AtRule, type ChildNode, type Plugin, parse } from 'postcss';

/** From the weakest to the strongest. */
export const LAYERS = ['reset', 'tokens', 'ui', 'features', 'blocks', 'layouts', 'media'] as const;

type Layer = (typeof LAYERS)[number];

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const OF_FILES: Record<string, Layer> = {
  'tokens/reset.css': 'reset',
  'tokens/print.css': 'media',
  'tokens/forced.css': 'media',
};

/** The layer of a style sheet, by its path in `src`. */
export function layerOf(path: string): Layer {
  if (path.startsWith('blocks/plugins/') && /\.layout(\.module)?\.css$/.test(path)) return 'layouts';
  const folder = path.split('/')[0] ?? '';
  const layer = OF_FILES[path] ?? LAYERS.find((name) => name === folder);
  if (!layer) throw new Error(`${path} is in no layer: styles stand in ${LAYERS.join(', ')} (scripts/layers.ts).`);
  return layer;
}

export function layers(): Plugin {
  return {
    postcssPlugin: 'layers',
    OnceExit(root, { AtRule }) {
      let open: AtRule | undefined;
      for (const node of [...root.nodes]) {
        const name = layerOf(relative(SRC, node.source?.input.file ?? ''));
        if (open?.params !== name) {
          open = new AtRule({ name: 'layer', params: name, nodes: [] });
          node.before(open);
        }
        open.append(node as ChildNode);
      }
      // With every file, because any of them may come first in the bundle.
      root.prepend(new AtRule({ name: 'layer', params: LAYERS.join(', ') }));
    },
  };
}

/** Checks the bundler's output: every rule is in a layer, and the layers are in order. */
export function checkLayers(css: string): void {
  const names: string[] = [];
  for (const node of parse(css).nodes) {
    if (node.type === 'comment' || (node.type === 'atrule' && node.name === 'charset')) continue;
    if (node.type !== 'atrule' || node.name !== 'layer')
      throw new Error(`Outside of all layers: ${node.toString().slice(0, 80)}`);
    names.push(...node.params.split(/,\s*/));
  }
  const found = [...new Set(names)];
  if (found.join() !== LAYERS.join()) throw new Error(`Layers stand in the order ${found.join(', ')}.`);
}
