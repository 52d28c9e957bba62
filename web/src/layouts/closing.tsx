import { Gallery } from '../blocks/gallery/gallery.tsx';
import { ProjectTeasers } from '../blocks/project-teasers/project-teasers.tsx';
import type { Block, PageContent } from '../contract/types.ts';
import { useRendering } from '../rendering/context.ts';

/** Whether the page's family ends with more than its blocks. */
export function hasClosing({ facts }: PageContent): boolean {
  return facts?.family === 'case-study';
}

/** Place of the closing among the blocks: a call to action keeps the last word. */
export function closingPlace(blocks: Block[]): number {
  return blocks.at(-1)?.type === 'call_to_action' ? blocks.length - 1 : blocks.length;
}

/** The end of a case study: pictures of the project, and those that have most in common with it. */
export function Closing({ page: { facts, breadcrumb } }: { page: PageContent }) {
  const { t } = useRendering();
  if (facts?.family !== 'case-study') return null;
  const { gallery, related } = facts;
  const shared = { text: '', anchor: null };
  return (
    <>
      {gallery.length > 0 && (
        <Gallery
          {...shared}
          type="gallery"
          id="gallery"
          tone="ink"
          title={t('projectPictures')}
          pictures={gallery.map((picture) => ({ picture, caption: '' }))}
        />
      )}
      <ProjectTeasers
        {...shared}
        type="project_teasers"
        id="related"
        tone="paper"
        title={t('relatedProjects')}
        projects={related}
        link={breadcrumb.at(-1) ?? null}
      />
    </>
  );
}
