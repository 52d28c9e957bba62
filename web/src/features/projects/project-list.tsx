import type { ProjectCard as ProjectCardData } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Island } from '../../rendering/island.tsx';
import { cardGrid } from '../../ui/picture-card/picture-card.tsx';
import { ProjectCard } from './project-card.tsx';
import { ProjectFilter } from './project-filter.island.tsx';
import { buildProjectFilterProps, FACETS } from './project-filter-props.ts';
import styles from './project-list.module.css';

/** All case studies as cards, and links that narrow them to an industry, a service or a technology. */
export function ProjectList({ projects }: { projects: ProjectCardData[] }) {
  const { prefix, t } = useRendering();
  const listId = `${prefix}projects`;
  const filter = buildProjectFilterProps(projects, listId, t);
  return (
    <>
      {filter.groups.length > 0 && <Island component={ProjectFilter} props={filter} wakesFor={FACETS} />}
      <ul id={listId} className={`${cardGrid} ${styles.list}`}>
        {projects.map((project) => (
          <li key={project.id} data-id={project.id}>
            <ProjectCard project={project} dense />
          </li>
        ))}
      </ul>
    </>
  );
}
