import type { BlockOf } from '../../contract/types.ts';
import { joinNames } from '../../domain/names.ts';
import { printCountry } from '../../domain/places.ts';
import { useRendering } from '../../rendering/context.ts';
import { Fold } from '../../ui/fold/fold.tsx';
import { LandChart } from '../../ui/land-chart/land-chart.tsx';
import { isOnChart, projectPlace } from '../../ui/land-chart/projection.ts';
import { Link } from '../../ui/link/link.tsx';
import styles from './project-map.module.css';

/** The number of rows that fits below the chart. */
const FEW = 8;

type MappedProject = BlockOf<'project_map'>['projects'][number];

/**
 * Case studies as dots on a chart, and the same as a list: for touch, keyboards and screen readers, and for places
 * outside of the chart.
 */
export function ProjectMap({ projects }: { projects: MappedProject[] }) {
  const { lang, t } = useRendering();
  return (
    <>
      <LandChart className={styles.chart}>
        {projects.map((project) => (
          <ProjectDot key={project.id} project={project} />
        ))}
      </LandChart>
      <Fold title={t('asList')} open={projects.length <= FEW}>
        {projects.map(({ id, client, country, link }) => (
          <li key={id}>
            <Link to={link} />
            <p>{joinNames(client === link.title ? '' : client, printCountry(country, lang))}</p>
          </li>
        ))}
      </Fold>
    </>
  );
}

function ProjectDot({ project }: { project: MappedProject }) {
  const { x, y } = projectPlace(project);
  if (!isOnChart({ x, y })) return null;
  const { href, title } = project.link;
  // The list has the same link for who comes by keyboard.
  return (
    <a href={href} tabIndex={-1}>
      <circle cx={x} cy={y} r="9" />
      <text x={x} y={y - 10} textAnchor="middle">
        {title}
      </text>
    </a>
  );
}
