import type { ProjectCard as ProjectCardData } from '../../contract/types.ts';
import { cardGrid } from '../../ui/picture-card/picture-card.tsx';
import { ProjectCard } from './project-card.tsx';

/** A few case studies: many of them are small where it is narrow. */
export function ProjectCards({ projects }: { projects: ProjectCardData[] }) {
  return (
    <ul className={cardGrid}>
      {projects.map((project) => (
        <li key={project.id}>
          <ProjectCard project={project} dense={projects.length > 3} />
        </li>
      ))}
    </ul>
  );
}
