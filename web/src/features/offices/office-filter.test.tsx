import '../../testing/dom.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedExample } from '../../../scripts/examples.ts';
import type { Office } from '../../contract/types.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { renderHtml } from '../../testing/render-html.tsx';
import { translate } from '../../testing/translator.ts';
import { run as filterOffices } from './filter-offices.part.ts';
import { OfficeFilter } from './office-filter.tsx';
import { buildOfficeOptions } from './office-options.ts';

const [example] = sharedExample().offices;

function office(id: string, category: string): Office {
  if (!example) throw new Error('the example has offices');
  return { ...example, id, category: { ...example.category, name: category } };
}

const offices = [office('a', 'Hub'), office('b', 'Sales'), office('c', 'Hub')];

describe('the options of the filter', () => {
  it('are all offices and each category once, with counts in the plural of the language', () => {
    expect(buildOfficeOptions(offices, createTranslate('en'))).toEqual([
      { category: '', name: 'All', shown: '3 offices shown' },
      { category: 'Hub', name: 'Hub', shown: '2 offices shown' },
      { category: 'Sales', name: 'Sales', shown: '1 office shown' },
    ]);
  });
});

describe('the filter', () => {
  beforeEach(async () => {
    history.replaceState(null, '');
    await open();
  });

  async function open(): Promise<void> {
    const cards = offices.map(({ id, category }) => `<li id="${id}" data-office-category="${category.name}"></li>`);
    const filter = renderHtml(<OfficeFilter offices={offices} listId="list" />);
    document.body.innerHTML = `${filter}<ul id="list">${cards.join('')}</ul>`;
    await filterOffices(document.body.firstElementChild as HTMLElement);
  }

  function choose(name: string): void {
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click();
  }

  function state() {
    return {
      shown: [...document.querySelectorAll('li:not([hidden])')].map(({ id }) => id).join(''),
      pressed: [...document.querySelectorAll('[aria-pressed=true]')].map(({ textContent }) => textContent).join(),
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

  it.each(['Hub', 'All'])('has for who comes back what they chose (%s)', async (name) => {
    choose('Sales');
    choose(name);
    const left = state();
    await open();
    expect(state()).toEqual(left);
  });

  it('is answered on any part of a button, as where a browser has translated it', () => {
    translate(document.body);
    document.querySelector<HTMLElement>('[value=Sales] font font')?.click();
    expect(state()).toEqual({ shown: 'b', pressed: 'Sales', status: '1 office shown' });
  });
});
