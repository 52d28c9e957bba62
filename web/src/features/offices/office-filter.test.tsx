import '../../testing/dom.ts';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedExample } from '../../../scripts/examples.ts';
import type { Office } from '../../contract/types.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { OfficeFilter } from './office-filter.island.tsx';
import { buildOfficeFilterProps } from './office-filter-props.ts';

const [example] = sharedExample().offices;

function office(id: string, category: string): Office {
  if (!example) throw new Error('the example has offices');
  return { ...example, id, category: { ...example.category, name: category } };
}

const offices = [office('a', 'Hub'), office('b', 'Sales'), office('c', 'Hub')];

describe('the options of the filter', () => {
  it('are all offices and each category once, with counts in the plural of the language', () => {
    const { options } = buildOfficeFilterProps(offices, 'list', createTranslate('en'));
    expect(options).toEqual([
      { category: '', name: 'All', shown: '3 offices shown' },
      { category: 'Hub', name: 'Hub', shown: '2 offices shown' },
      { category: 'Sales', name: 'Sales', shown: '1 office shown' },
    ]);
  });
});

describe('the filter', () => {
  beforeEach(() => {
    const cards = offices.map(({ id, category }) => `<li id="${id}" data-office-category="${category.name}"></li>`);
    document.body.innerHTML = `<div id="root"></div><ul id="list">${cards.join('')}</ul>`;
    const root = document.getElementById('root');
    if (!root) throw new Error('there is a root');
    const props = buildOfficeFilterProps(offices, 'list', createTranslate('en'));
    flushSync(() => createRoot(root).render(<OfficeFilter {...props} />));
  });

  function choose(name: string): void {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
    flushSync(() => button?.click());
  }

  function state() {
    return {
      shown: [...document.querySelectorAll('li:not([hidden])')].map(({ id }) => id).join(''),
      pressed: document.querySelector('[aria-pressed=true]')?.textContent,
      status: document.querySelector('[role=status]')?.textContent,
    };
  }

  it('shows all and says nothing at first', () => {
    expect(state()).toEqual({ shown: 'abc', pressed: 'All', status: '' });
  });

  it('shows one category and says how many that are', () => {
    choose('Sales');
    expect(state()).toEqual({ shown: 'b', pressed: 'Sales', status: '1 office shown' });
    choose('Hub');
    expect(state()).toEqual({ shown: 'ac', pressed: 'Hub', status: '2 offices shown' });
    choose('All');
    expect(state()).toEqual({ shown: 'abc', pressed: 'All', status: '3 offices shown' });
  });
});
