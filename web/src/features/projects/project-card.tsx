import type { FacetValue, ProjectCard as ProjectCardData } from '../../contract/types.ts';
import { joinNames } from '../../domain/names.ts';
import { PictureCard } from '../../ui/picture-card/picture-card.tsx';
import styles from './project-card.module.css';

interface ProjectCardProps {
  project: ProjectCardData;
  /** In a long list: on narrow screens the image is small and next to the text. */
  dense?: boolean;
}

/** A case study in a list. */
export function ProjectCard({ project, dense = false }: ProjectCardProps) {
  return (
    <PictureCard
      picture={project.cover}
      to={project.link}
      kicker={joinNames(nameClient(project), ...namesOf(project.industries))}
      text={project.summary}
      dense={dense}
    >
      <p className={styles.technologies}>{joinNames(...namesOf(project.technologies))}</p>
    </PictureCard>
  );
}

/** Many case studies have their client's name in the title: then it is not repeated. */
function nameClient({ client, title }: ProjectCardData): string {
  return client === title ? '' : client;
}

function namesOf(values: FacetValue[]): string[] {
  return values.map(({ name }) => name);
}
