import type { FacetName, FacetValue, ProjectCard } from '../../contract/types.ts';
import type { Translate } from '../../locales/catalog.ts';

export interface ProjectFilterProps {
  /** Id of the list whose items carry `data-id`. */
  listId: string;
  label: string;
  groups: {
    facet: FacetName;
    name: string;
    options: { value: string; name: string; count: number }[];
  }[];
  total: number;
  all: string;
  /** How many are shown: with `{n}` and `{total}`. */
  shown: string;
  failed: string;
  retry: string;
}

/** The facets to filter by, in their order in the page. Each is a parameter of the page's address: `?industry=healthcare`. */
export const FACETS: readonly FacetName[] = ['industry', 'service', 'technology'];

/** A group for each facet, its values with the most projects first; a value that every project has says nothing and is left out. */
export function buildProjectFilterProps(projects: ProjectCard[], listId: string, t: Translate): ProjectFilterProps {
  const groups = FACETS.map((facet) => ({ facet, name: t(facet), options: countValues(projects, facet) }));
  return {
    listId,
    label: t('filterProjects'),
    groups: groups.filter(({ options }) => options.length > 0),
    total: projects.length,
    all: t('allProjects'),
    shown: t('shownOfTotal'),
    failed: t('notLoaded'),
    retry: t('tryAgain'),
  };
}

function countValues(projects: ProjectCard[], facet: FacetName) {
  const options = new Map<string, { value: string; name: string; count: number }>();
  for (const { slug, name } of projects.flatMap((project) => valuesOf(project, facet))) {
    const option = options.get(slug) ?? { value: slug, name, count: 0 };
    options.set(slug, { ...option, count: option.count + 1 });
  }
  return [...options.values()].filter(({ count }) => count < projects.length).sort((a, b) => b.count - a.count);
}

function valuesOf(project: ProjectCard, facet: FacetName): FacetValue[] {
  return { industry: project.industries, service: project.services, technology: project.technologies }[facet];
}
