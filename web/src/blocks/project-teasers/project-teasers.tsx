import type { BlockOf } from '../../contract/types.ts';
import { ProjectCards } from '../../features/projects/project-cards.tsx';
import { Section, SectionHead, SectionLink } from '../../ui/section/section.tsx';

export function ProjectTeasers({ tone, anchor, title, text, projects, link }: BlockOf<'project_teasers'>) {
  if (projects.length === 0) return null;
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ProjectCards projects={projects} />
      <SectionLink to={link} />
    </Section>
  );
}
