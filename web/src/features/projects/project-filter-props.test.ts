import { describe, expect, it } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import type { ProjectCard } from '../../contract/types.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { buildProjectFilterProps } from './project-filter-props.ts';

const example = blockExamples()
  .map(({ block }) => block)
  .find((block) => block.type === 'project_list');
if (example?.type !== 'project_list') throw new Error('the contract has an example of a list of projects');
const [port, clinics] = example.projects;
if (!port || !clinics) throw new Error('the example has two projects');

function groupsOf(projects: ProjectCard[], lang = 'en'): [name: string, options: string[]][] {
  const { groups } = buildProjectFilterProps(projects, 'list', createTranslate(lang));
  return groups.map(({ name, options }) => [name, options.map((option) => `${option.name} ${option.count}`)]);
}

describe('what case studies are found by', () => {
  it('is each value that tells them apart, the most common first', () => {
    const more = { ...port, id: 'more', industries: clinics.industries };
    expect(groupsOf([port, clinics, more])).toEqual([
      ['Industry', ['Healthcare 2', 'Logistics 1']],
      ['Service', ['Mobile development 1']],
      ['Technology', ['React 2']],
    ]);
  });

  it('is named in the language of the page', () => {
    expect(groupsOf([port, clinics], 'de-DE').map(([name]) => name)).toEqual(['Branche', 'Leistung', 'Technologie']);
  });

  it('is nothing where there is one, or none', () => {
    expect(groupsOf([port])).toEqual([]);
    expect(groupsOf([])).toEqual([]);
  });
});
