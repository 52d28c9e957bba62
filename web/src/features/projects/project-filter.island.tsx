import type { MouseEvent } from 'react';
import { isPlainClick } from '../../lib/plain-click.ts';
import { fill } from '../../locales/fill.ts';
import { Changing } from '../../ui/changing/changing.tsx';
import { PlainTextLink, TextButton } from '../../ui/text-link/text-link.tsx';
import styles from './project-filter.module.css';
import type { ProjectFilterProps } from './project-filter-props.ts';
import type { Choice } from './project-filter-state.ts';
import { useProjectFilter } from './use-project-filter.ts';

/**
 * An index of the case studies' facet values. Each value is a link to the filtered page, so that it can be opened in a
 * new tab and works before this code is loaded. A plain click stays on the page.
 */
export function ProjectFilter({ listId, label, groups, total, all, shown, failed, retry }: ProjectFilterProps) {
  const filter = useProjectFilter(listId, groups);
  const isChosen = (facet: string, value: string) => filter.choice?.facet === facet && filter.choice.value === value;

  function onClick(event: MouseEvent, choice: Choice | null) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    filter.choose(choice);
  }

  return (
    <nav className={styles.filter} aria-label={label}>
      {groups.map(({ facet, name, options }) => (
        <div key={facet} className={styles.group}>
          <p id={`${listId}-${facet}`}>{name}</p>
          <ul aria-labelledby={`${listId}-${facet}`}>
            {options.map(({ value, name: option, count }) => (
              <li key={value}>
                <a
                  href={`?${facet}=${value}`}
                  aria-current={isChosen(facet, value) ? 'true' : undefined}
                  onClick={(event) => onClick(event, { facet, value })}
                >
                  {option} <span>{count}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className={styles.result}>
        <p role="status">
          <Changing>{fill(shown, { n: filter.shown?.length ?? total, total })}</Changing>
        </p>
        <p role="alert">
          <Changing>{filter.status === 'failed' ? failed : ''}</Changing>
        </p>
        {filter.status === 'failed' && <TextButton onClick={filter.retry}>{retry}</TextButton>}
        {filter.choice && (
          <PlainTextLink href="?" onClick={(event) => onClick(event, null)}>
            {all}
          </PlainTextLink>
        )}
      </div>
    </nav>
  );
}
