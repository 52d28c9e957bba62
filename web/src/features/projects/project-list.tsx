import type { FacetValue, ProjectCard as ProjectCardData } from '../../contract/index.ts';
import { useRendering } from '../../rendering/context.ts';
import { Island } from '../../rendering/island.tsx';
import { cardGrid, PictureCard } from '../../ui/picture-card/picture-card.tsx';
import { ProjectFilter } from './project-filter.tsx';
import { buildProjectFilterProps, FACETS } from './project-filter-props.ts';
import styles from './project-list.module.css';

/** All case studies as cards, and links that narrow them to an industry, a service or a technology. */
export function ProjectList({ projects }: { projects: ProjectCardData[] }) {
  const { prefix, t } = useRendering();
  const listId = `${prefix}projects`;
  const filter = buildProjectFilterProps(projects, listId, t);
  return (
    <>
      {filter.groups.length > 0 && (
        <Island name="project-filter" component={ProjectFilter} props={filter} wakesFor={FACETS} />
      )}
      <ul id={listId} className={`${cardGrid} ${styles.list}`}>
        {projects.map((project) => (
          <li key={project.id} data-id={project.id}>
            <PictureCard
              picture={project.cover}
              to={project.link}
              kicker={printNames(nameClient(project), ...namesOf(project.industries))}
              text={project.summary}
              dense
            >
              <p className={styles.technologies}>{printNames(...namesOf(project.technologies))}</p>
            </PictureCard>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Many case studies bear their client's name: it is not said twice. */
function nameClient({ client, title }: ProjectCardData): string {
  return client === title ? '' : client;
}

function namesOf(values: FacetValue[]): string[] {
  return values.map(({ name }) => name);
}

/** A dot stays with the name before it. */
function printNames(...names: string[]): string {
  return names.filter((name) => name !== '').join('\u00a0· ');
}
