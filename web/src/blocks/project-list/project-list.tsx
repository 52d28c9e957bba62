import type { BlockOf } from '../../contract/types.ts';
import { ProjectList } from '../../features/projects/project-list.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';

export function ProjectListBlock({ tone, anchor, title, text, projects }: BlockOf<'project_list'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ProjectList projects={projects} />
    </Section>
  );
}
