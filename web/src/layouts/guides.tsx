import type { PageContent } from '../contract/types.ts';
import { AnchorMenu } from '../features/anchor-menu/anchor-menu.tsx';
import { ReadingProgress } from '../features/reading-progress/reading-progress.tsx';
import { layoutOf } from './of-plugins.ts';

type Template = PageContent['template'];

/** Families with an anchor menu, and those that are long enough to say how much was read (decisions: Sites). */
const WITH_ANCHOR_MENU: readonly Template[] = ['service', 'industry', 'about', 'blueprint', 'case-study'];
const WITH_PROGRESS: readonly Template[] = ['blueprint', 'case-study'];

type GuidesProps = Pick<PageContent, 'template' | 'anchors'>;

export function hasGuides({ template, anchors }: GuidesProps): boolean {
  return WITH_PROGRESS.includes(template) || (hasAnchorMenu(template) && anchors.length > 1);
}

function hasAnchorMenu(template: Template): boolean {
  return WITH_ANCHOR_MENU.includes(template) || layoutOf({ template })?.hasAnchorMenu === true;
}

/** Navigation aids of a long page, below the header. */
export function Guides({ template, anchors }: GuidesProps) {
  return (
    <>
      {WITH_PROGRESS.includes(template) && <ReadingProgress />}
      {hasAnchorMenu(template) && anchors.length > 1 && <AnchorMenu anchors={anchors} />}
    </>
  );
}
