import type { ReactNode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { IslandData } from '../contract/types.ts';
import { type Rendering, RenderingContext } from '../rendering/context.ts';
import { islandName } from './island-names.ts';

/** HTML and the islands in it, in the order in which they stand. */
export interface Markup {
  html: string;
  islands: IslandData[];
}

/** The components' context: data about their page. */
export type Surroundings = Omit<Rendering, 'renderIsland' | 'islandName'>;

/**
 * React puts a preload of an eager image in front of its output, meant for a document's head. In the middle of a page it is
 * right before the image itself and only costs bytes.
 */
const HOISTED = /^(?:<link rel="preload" as="image"[^>]*>)+/;

/** Forms above all, which take as long to render as the rest of their page, and stand on many. */
const ISLANDS_KEPT = 300;
const islandsKept = new Map<string, string>();

/** The HTML follows from name, id and props, so it is rendered once for many pages. */
function renderIsland(data: IslandData, content: ReactNode): string {
  const key = JSON.stringify([data.name, data.id, data.props]);
  const known = islandsKept.get(key);
  if (known !== undefined) return known;
  // Without a context: an island has only its props in the browser.
  const html = renderToString(<RenderingContext value={null}>{content}</RenderingContext>, {
    identifierPrefix: data.id,
  });
  if (islandsKept.size >= ISLANDS_KEPT) islandsKept.clear();
  islandsKept.set(key, html);
  return html;
}

/** Static HTML of one piece of a page; each island in it is a root of its own, with its id as prefix, as in the browser. */
export function renderMarkup(node: ReactNode, surroundings: Surroundings): Markup {
  const islands: IslandData[] = [];
  const rendering: Rendering = {
    ...surroundings,
    islandName,
    renderIsland(data, content) {
      if (islands.some((island) => island.id === data.id)) {
        throw new Error(`Two islands have the id "${data.id}"; give one of them an id of its own.`);
      }
      islands.push(data);
      return renderIsland(data, content);
    },
  };
  const html = renderToStaticMarkup(<RenderingContext value={rendering}>{node}</RenderingContext>);
  return { html: html.replace(HOISTED, ''), islands };
}
