import { useEffect, useReducer } from 'react';
import type { ProjectCard } from '../../contract/types.ts';
import { listFilteredProjects } from '../../lib/api-client.ts';
import { stayInPlace } from '../../runtime/navigation/scroll-memory.ts';
import type { ProjectFilterProps } from './project-filter-props.ts';
import { type Choice, type FilterState, reduceFilter, START } from './project-filter-state.ts';

interface ProjectFilter extends FilterState {
  choose: (choice: Choice | null) => void;
  retry: () => void;
}

/** The choice is in the page's address, so that visitors can share it, and going back keeps it. */
export function useProjectFilter(listId: string, groups: ProjectFilterProps['groups']): ProjectFilter {
  const [state, dispatch] = useReducer(reduceFilter, START);
  const { choice, shown, status, attempt } = state;

  useEffect(() => {
    const read = () => dispatch({ type: 'chosen', choice: readChoice(groups) });
    if (readChoice(groups)) read();
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, [groups]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the same request
  useEffect(() => {
    if (!choice) return;
    const call = new AbortController();
    listFilteredProjects(choice.facet, choice.value, { signal: call.signal }).then(
      ({ items }) => {
        if (!call.signal.aborted) dispatch({ type: 'loaded', ids: keepListed(items, listId) });
      },
      () => {
        if (!call.signal.aborted) dispatch({ type: 'failed' });
      },
    );
    return () => call.abort();
  }, [listId, choice, attempt]);

  useEffect(() => {
    const list = document.getElementById(listId);
    list?.setAttribute('aria-busy', String(status === 'loading'));
    stayInPlace(() => {
      for (const item of itemsOf(listId)) item.hidden = shown !== null && !shown.includes(item.dataset['id'] ?? '');
    });
  }, [listId, shown, status]);

  function choose(chosen: Choice | null) {
    history.pushState(null, '', addressOf(groups, chosen));
    dispatch({ type: 'chosen', choice: chosen });
  }

  return { ...state, choose, retry: () => dispatch({ type: 'retried' }) };
}

function itemsOf(listId: string): HTMLElement[] {
  return [...(document.getElementById(listId)?.querySelectorAll<HTMLElement>('[data-id]') ?? [])];
}

/** Ids of the projects that are in the page. One that was published since is left out. */
function keepListed(projects: readonly ProjectCard[], listId: string): string[] {
  const listed = new Set(itemsOf(listId).map((item) => item.dataset['id']));
  return projects.map(({ id }) => id).filter((id) => listed.has(id));
}

/** The first choice in the address that the page offers. */
function readChoice(groups: ProjectFilterProps['groups']): Choice | null {
  const asked = new URLSearchParams(location.search);
  const chosen = groups.flatMap(({ facet, options }) =>
    options.flatMap(({ value }) => (asked.get(facet) === value ? [{ facet, value }] : [])),
  );
  return chosen[0] ?? null;
}

/** Returns the page's address with another choice; its other parameters (an ad's click, say) stay. */
function addressOf(groups: ProjectFilterProps['groups'], choice: Choice | null): string {
  const url = new URL(location.href);
  for (const { facet } of groups) url.searchParams.delete(facet);
  if (choice) url.searchParams.set(choice.facet, choice.value);
  return url.href;
}
