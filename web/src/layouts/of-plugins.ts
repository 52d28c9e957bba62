/**
 * Layouts of plugins' page types. `portolan build` puts them among the blocks: a file for each family, named by it with
 * underscores, `service_plan.layout.tsx`, that exports what the family has of a `Layout`.
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
  /** What stands above the blocks. */
  Opening?: FunctionComponent<LayoutProps<Fields>>;
  /** What stands below them; a call to action that ends the page keeps the last word. */
  Closing?: FunctionComponent<LayoutProps<Fields>>;
  /** Whether blocks that have a name for it make an anchor menu. */
  hasAnchorMenu?: boolean;
  /** What the page is about, for search engines, as schema.org has it: nothing that a visitor does not see. */
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

/** Throws for a page whose own fields nobody would show. */
export function requireLayout(page: Pick<PageContent, 'template' | 'fields'>): void {
  if (page.fields !== null && !layoutOf(page))
    throw new Error(
      `the web build has no layout for its family, ${page.template}; run "portolan build" with its plugin, which has to have a file ${page.template.replaceAll('-', '_')}.layout.tsx`,
    );
}
