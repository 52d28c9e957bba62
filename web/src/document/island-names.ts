import type { FunctionComponent } from 'react';

const ENDING = '.island.tsx';
const FILES = import.meta.glob<Record<string, unknown>>('../{ui,features,blocks,layouts}/**/*.island.tsx', {
  eager: true,
});

/** By component of an island: the name of its file, by which the browser fetches it. */
const NAMES = new Map(
  Object.entries(FILES).flatMap(([path, exported]) =>
    Object.values(exported).map((component) => [component, path.slice(path.lastIndexOf('/') + 1, -ENDING.length)]),
  ),
);

// biome-ignore lint/suspicious/noExplicitAny: each island has its own props
export function islandName(component: FunctionComponent<any>): string {
  const name = NAMES.get(component);
  if (name === undefined)
    throw new Error(`${component.name} is no island: the browser fetches components of files *${ENDING} alone.`);
  return name;
}
