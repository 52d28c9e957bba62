import { createElement, type FunctionComponent } from 'react';
import { useRendering } from './context.ts';

/** JSON values: the only props an island can have. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

interface IslandOptions<Props> {
  /** Unique in the page; a block's island needs none. Prefix of the ids inside. */
  id?: string;
  /** Out of a file `*.island.tsx`. */
  component: FunctionComponent<Props>;
  props: Props & { readonly [Key in keyof Props]: Json };
  className?: string | undefined;
  /** Query parameters that the island handles: if the page's address has one of them, it wakes at once. */
  wakesFor?: readonly string[];
  /** Key in the session storage: if it has a value, the island wakes after load, to restore the visitor's input. */
  draft?: string;
}

/**
 * An interactive part: static HTML at first, a React root of its own on demand. The browser gets only the component's file and
 * its imports.
 */
export function Island<Props extends object>({
  id,
  component,
  props,
  className,
  wakesFor,
  draft,
}: IslandOptions<Props>) {
  const rendering = useRendering();
  const name = rendering.islandName(component);
  const islandId = id ?? `${rendering.prefix}${name}`;
  const html = rendering.renderIsland({ id: islandId, name, props: { ...props } }, createElement(component, props));
  return (
    <div
      id={islandId}
      className={className}
      data-island={name}
      data-wakes-for={wakesFor?.join(' ')}
      data-draft={draft}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React rendered it, as a root of its own
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
