import 'portolan/testing/dom.ts';
import { renderHtml } from 'portolan/testing/render-html.tsx';
import { afterEach, expect, it, vi } from 'vitest';
import { describe as describeBranch, Opening } from '../portolan_opening_hours/branch.layout.tsx';
import { run } from '../portolan_opening_hours/open-now.part.ts';
import OpeningHours from '../portolan_opening_hours/opening_hours.block.tsx';
import type { BranchFields } from '../portolan_opening_hours/types.ts';

const hours: BranchFields['hours'] = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '18:00' },
];
const fields: BranchFields = {
  summary: 'Ring the bell.',
  address: '18 Quay Street\nLondon',
  phone: '+44 20 7946 0018',
  email: '',
  directions: '',
  picture: null,
  hours,
  closedOn: [{ date: '2026-12-25', note: 'Christmas Day' }],
  timeZone: 'Europe/London',
};
const page = { title: 'London', breadcrumb: [], sharing: { picture: null, locales: [] }, fields } as never;
const block = { id: 'x', type: 'opening_hours', tone: 'paper', anchor: null, title: 'Hours', text: '' } as const;

afterEach(() => vi.useRealTimers());

it('shows the week as a table, whole without any script', () => {
  document.body.innerHTML = renderHtml(
    <OpeningHours {...block} hours={hours} closedOn={fields.closedOn} timeZone="Europe/London" />,
  );
  const rows = [...document.querySelectorAll('tr')].map((row) => row.textContent);
  expect(rows).toEqual(['Monday – Friday09:00–18:00', 'Saturday – SundayClosed']);
  expect(document.querySelector('dl')?.textContent).toContain('25 December 2026: Christmas Day');
});

it('says whether somebody is there now, and goes on while the page is there', async () => {
  vi.useFakeTimers({ now: new Date('2026-01-05T17:59:50Z') });
  document.body.innerHTML = renderHtml(
    <OpeningHours {...block} hours={hours} closedOn={[]} timeZone="Europe/London" />,
  );
  const element = document.querySelector<HTMLElement>('[data-own-open-now]');
  const left = new AbortController();
  if (element) await run(element, left.signal);
  expect([element?.textContent, element?.dataset.ownKnown]).toEqual(['Open now, until 18:00', 'open']);
  vi.advanceTimersByTime(15_000);
  expect(element?.textContent).toBe('Closed now, opens Tuesday at 09:00');
  left.abort();
  expect(vi.getTimerCount()).toBe(0);
});

it('opens the page with its one heading, and tells search engines what visitors read', () => {
  document.body.innerHTML = renderHtml(<Opening page={page} />);
  expect(document.querySelector('h1')?.textContent).toBe('London');
  expect(document.querySelector('a[href^="tel:"]')?.textContent).toBe('+44 20 7946 0018');
  const [about] = describeBranch(page, 'https://a.example/london', { origin: 'https://a.example' });
  expect(about).toMatchObject({
    '@type': 'LocalBusiness',
    name: 'London',
    address: '18 Quay Street, London',
    openingHoursSpecification: [{ opens: '09:00', closes: '18:00' }],
  });
});
