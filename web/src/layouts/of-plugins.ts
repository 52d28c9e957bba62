/**
 * Layouts of plugins' page types. `portolan build` copies them to the blocks: a file for each page type, with its name in
 * underscores, `service_plan.layout.tsx`, that exports the page type's parts of a `Layout`.
 */
import type { FunctionComponent } from 'react';
import type { Thing } from 'schema-dts';
import type { PageContent, SiteSettings } from '../contract/types.ts';

/** A page of a family whose own fields are `Fields`, as `portolan build` writes them down from its schema in Python. */
export type PageOf<Fields> = Omit<PageContent, 'fields'> & { fields: Fields };

export interface LayoutProps<Fields> {
  page: PageOf<Fields>;
}

export interface Layout<Fields = unknown> {
  /** The content above the blocks. */
  Opening?: FunctionComponent<LayoutProps<Fields>>;
  /** The content below the blocks; a call to action at the end of the page stays last. */
  Closing?: FunctionComponent<LayoutProps<Fields>>;
  /** Whether blocks that have a name for it make an anchor menu. */
  hasAnchorMenu?: boolean;
  /** The page as schema.org data for search engines: only facts that a visitor sees. */
  describe?: (page: PageOf<Fields>, url: string, site: SiteSettings) => Thing[];
}

const FILES = import.meta.glob<Layout>('../blocks/plugins/*/**/*.layout.tsx', { eager: true });

/** By family. */
const LAYOUTS = new Map(
  Object.entries(FILES).map(([path, layout]) => [
    path.replace(/^.*\/|\.layout\.tsx$/g, '').replaceAll('_', '-'),
    layout,
  ]),
);

/** Nothing for the product's families, and for those that are all blocks. */
export function layoutOf({ template }: Pick<PageContent, 'template'>, layouts = LAYOUTS): Layout | undefined {
  return layouts.get(template);
}

/** Throws for a page with own fields but without a layout for them. */
export function requireLayout(page: Pick<PageContent, 'template' | 'fields'>): void {
  if (page.fields !== null && !layoutOf(page))
    throw new Error(
      `the web build has no layout for its family, ${page.template}; run "portolan build" with its plugin, which has to have a file ${page.template.replaceAll('-', '_')}.layout.tsx`,
    );
}
