/**
 * `node scripts/plugin-types.ts schemas.json`: writes `types.ts` of each plugin, with the types of its components' props, from
 * its schemas in Python. Types of the product come from its contract.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import contract from '../../contract/openapi.json' with { type: 'json' };

type Schemas = Record<string, JSONSchema & { $contract?: string }>;

const BANNER = '/* Written by `portolan build` from the plugin’s schemas in Python. Not to be edited. */';

export async function buildPluginTypes(schemas: Schemas): Promise<string> {
  const definitions: Record<string, JSONSchema> = {};
  const imported: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const isKnown = schema.$contract !== undefined && name in contract.components.schemas;
    if (isKnown) imported.push(name);
    const { $contract: _, ...own } = schema;
    definitions[name] = isKnown ? { tsType: name } : withoutTitles(own);
  }
  const root: JSONSchema = { type: 'object', additionalProperties: false, definitions };
  const types = await compile(root, 'Plugin', {
    bannerComment: '',
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 120 },
    additionalProperties: false,
  });
  const own = types
    .replace(/export interface Plugin \{\s*\}\n*/, '')
    .replaceAll(/ \* This interface was referenced by `Plugin`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g, '')
    .replaceAll(/^\/\*\*\n \*\/\n/gm, '')
    .replaceAll('``', '`')
    .replaceAll(/^export type (\w+) = \1;?\n/gm, '')
    .replaceAll(/ \* ?\n \*\//g, ' */')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
  const used = imported.filter((name) => new RegExp(`\\b${name}\\b`).test(own)).sort();
  const head = used.length ? `import type { ${used.join(', ')} } from 'portolan/contract/openapi.d.ts';\n\n` : '';
  return `${BANNER}\n${head}${own}\n`;
}

/** Pydantic's repeat the names, and would become types. */
function withoutTitles<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withoutTitles) as T;
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'title' || typeof value !== 'string')
      .map(([key, value]) => [key, withoutTitles(value)]),
  ) as T;
}

if (process.argv[1] === import.meta.filename) {
  const [file = ''] = process.argv.slice(2);
  const plugins: Record<string, Schemas> = JSON.parse(readFileSync(file, 'utf8'));
  for (const [plugin, schemas] of Object.entries(plugins)) {
    const target = new URL(`../src/blocks/plugins/${plugin}/types.ts`, import.meta.url);
    writeFileSync(target, await buildPluginTypes(schemas));
  }
}
