import '../../testing/dom.ts';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { act } from '../../testing/translator.ts';
import { ProjectFilter } from './project-filter.island.tsx';
import { buildProjectFilterProps } from './project-filter-props.ts';

const example = blockExamples()
  .map(({ block }) => block)
  .find((block) => block.type === 'project_list');
if (example?.type !== 'project_list') throw new Error('the contract has an example of a list of projects');
const [port, clinics] = example.projects;
if (!port || !clinics) throw new Error('the example has two projects');
const others = ['b1', 'b2'].map((id) => ({ ...port, id, industries: clinics.industries }));
const projects = [port, clinics, ...others];
const props = buildProjectFilterProps(projects, 'list', createTranslate('en'));

let root: Root;
let answers: Map<string, () => Promise<Response>>;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = `<div id="root"></div><ul id="list">${projects.map(({ id }) => `<li data-id="${id}">${id}</li>`).join('')}</ul>`;
  answers = new Map();
  vi.stubGlobal('fetch', (path: string) => {
    const answer = answers.get(path.replace('/api/content/filter/', ''));
    return answer ? answer() : Promise.reject(new TypeError('offline'));
  });
  history.replaceState(null, '', '/project-cases');
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

function reply(...ids: string[]): () => Promise<Response> {
  return async () => Response.json({ items: ids.map((id) => ({ id })) });
}

async function show(): Promise<void> {
  const container = document.getElementById('root');
  if (!container) throw new Error('there is a root');
  root = createRoot(container);
  await act(async () => root.render(<ProjectFilter {...props} />));
}

function find(text: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('a, button')].find((element) =>
    element.textContent?.startsWith(text),
  );
  if (!found) throw new Error(`no "${text}"`);
  return found;
}

async function click(text: string): Promise<void> {
  await act(async () => find(text).click());
}

function state() {
  return {
    shown: [...document.querySelectorAll('li[data-id]:not([hidden])')].map((item) => item.textContent),
    chosen: document.querySelector('[aria-current]')?.textContent ?? null,
    status: document.querySelector('[role=status]')?.textContent,
    alert: document.querySelector('[role=alert]')?.textContent,
    search: location.search,
  };
}

const ALL = {
  shown: projects.map(({ id }) => id),
  chosen: null,
  status: 'Showing 4 of 4',
  alert: '',
  search: '',
};
const HEALTH = {
  ...ALL,
  shown: [clinics.id, 'b1'],
  chosen: 'Healthcare 3',
  status: 'Showing 2 of 4',
  search: '?industry=healthcare',
};

describe('the filter of case studies', () => {
  it('shows everything at first', async () => {
    await show();
    expect(state()).toEqual(ALL);
  });

  it('shows what the API answers, and says how many that are', async () => {
    // One was published since the page was made: it has no card here.
    answers.set('industry/healthcare', reply('newer', clinics.id, 'b1'));
    await show();
    await click('Healthcare');
    expect(state()).toEqual(HEALTH);
    await click('All case studies');
    expect(state()).toEqual(ALL);
  });

  it('begins with what the address asks for', async () => {
    history.replaceState(null, '', '/project-cases?gclid=7&industry=healthcare');
    answers.set('industry/healthcare', reply(clinics.id, 'b1'));
    await show();
    expect(state()).toEqual({ ...HEALTH, search: '?gclid=7&industry=healthcare' });
    await click('All case studies');
    expect(state()).toEqual({ ...ALL, search: '?gclid=7' });
  });

  it.each(['?industry=piracy', '?colour=blue', ''])('shows everything for the address %s', async (search) => {
    history.replaceState(null, '', `/project-cases${search}`);
    await show();
    expect(state()).toEqual({ ...ALL, search });
  });

  it('goes back with the visitor', async () => {
    answers.set('industry/healthcare', reply(clinics.id, 'b1'));
    answers.set('technology/react-js', reply(port.id));
    await show();
    await click('Healthcare');
    await click('React');
    expect(state()).toMatchObject({ shown: [port.id], search: '?technology=react-js' });
    await act(async () => {
      const arrived = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      history.back();
      await arrived;
    });
    expect(state()).toEqual(HEALTH);
  });

  it('leaves a click to the browser that opens the link elsewhere', async () => {
    await show();
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
    let prevented: boolean | undefined;
    document.addEventListener(
      'click',
      (event) => {
        prevented = event.defaultPrevented;
        event.preventDefault();
      },
      { once: true },
    );
    await act(async () => find('Healthcare').dispatchEvent(click));
    expect(prevented).toBe(false);
    expect(state()).toEqual(ALL);
  });

  it('keeps the cards in sight when the API fails, says so, and asks again', async () => {
    await show();
    await click('Healthcare');
    expect(state()).toMatchObject({
      shown: ALL.shown,
      alert: 'That could not be loaded. Please check your connection.',
    });
    answers.set('industry/healthcare', reply(clinics.id, 'b1'));
    await click('Try again');
    expect(state()).toEqual(HEALTH);
  });

  it('shows the last choice, whatever answers last', async () => {
    const slow = Promise.withResolvers<Response>();
    answers.set('industry/healthcare', () => slow.promise);
    answers.set('technology/react-js', reply(port.id));
    await show();
    await click('Healthcare');
    expect(document.getElementById('list')?.getAttribute('aria-busy')).toBe('true');
    await click('React');
    await act(async () => slow.resolve(Response.json({ items: [] })));
    expect(state()).toMatchObject({ shown: [port.id], chosen: 'React 3' });
    expect(document.getElementById('list')?.getAttribute('aria-busy')).toBe('false');
  });
});
