import type { BlockOf } from '../../contract/types.ts';
import { ProjectMap } from '../../features/projects/project-map.tsx';
import { Section, SectionHead, SectionLink } from '../../ui/section/section.tsx';

export function ProjectMapBlock({ tone, anchor, title, text, projects, link }: BlockOf<'project_map'>) {
  if (projects.length === 0) return null;
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ProjectMap projects={projects} />
      <SectionLink to={link} />
    </Section>
  );
}
