import { Gallery } from '../blocks/gallery/gallery.tsx';
import { ProjectTeasers } from '../blocks/project-teasers/project-teasers.tsx';
import type {
  ArticleFacts,
  Block,
  BlueprintFacts,
  CaseStudyFacts,
  EventFacts,
  PageContent,
} from '../contract/types.ts';
import { useRendering } from '../rendering/context.ts';
import { Actions, Button } from '../ui/button/button.tsx';
import { Section } from '../ui/section/section.tsx';
import { layoutOf } from './of-plugins.ts';
import { registrationOf } from './opening/register.tsx';

/** Whether the page's family ends with more than its blocks. An article or event whose editor wrote a last word needs no other. */
export function hasClosing(page: PageContent): boolean {
  if (layoutOf(page)?.Closing) return true;
  const { facts, blocks } = page;
  return facts !== null && (facts.family === 'case-study' || blocks.at(-1)?.type !== 'call_to_action');
}

/** Place of the closing among the blocks: a call to action keeps the last word. */
export function closingPlace(blocks: Block[]): number {
  return blocks.at(-1)?.type === 'call_to_action' ? blocks.length - 1 : blocks.length;
}

/** The end of the page: after a case study the most similar ones, else the list that contains the page. */
export function Closing({ page }: { page: PageContent }) {
  const OfPlugin = layoutOf(page)?.Closing;
  if (OfPlugin) return <OfPlugin page={page} />;
  const { facts } = page;
  if (facts === null) return null;
  return facts.family === 'case-study' ? (
    <OfCaseStudy facts={facts} page={page} />
  ) : (
    <NextStep facts={facts} page={page} />
  );
}

interface ClosingProps<Facts> {
  page: PageContent;
  facts: Facts;
}

/** Registering for an event that is to come, and others of the kind. */
function NextStep({ facts, page }: ClosingProps<ArticleFacts | BlueprintFacts | EventFacts>) {
  const { t } = useRendering();
  const list = page.breadcrumb.at(-1);
  const register = facts.family === 'event' ? registrationOf(facts, t) : null;
  const more = list && { ...list, title: t('moreOf', { title: list.title }) };
  return (
    <Section tone="paper" anchor={null}>
      {register && more ? <Actions links={[register, more]} /> : more && <Button to={more} kind="quiet" />}
    </Section>
  );
}

/** Pictures of the project, and projects like it. */
function OfCaseStudy({ facts: { gallery, related }, page: { breadcrumb } }: ClosingProps<CaseStudyFacts>) {
  const { t } = useRendering();
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
