import '../testing/dom.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { announceChange } from '../lib/consent.ts';
import { ownListeners } from '../testing/own-listeners.ts';
import { whenGranted } from './third-party/when-granted.ts';
import { measureWebVitals } from './web-vitals.ts';

const vitals = vi.hoisted(() => ({ onLCP: vi.fn(), onCLS: vi.fn(), onINP: vi.fn() }));
vi.mock('web-vitals', () => vitals);

const { dataset } = document.documentElement;
const grant = (purposes: string) => {
  dataset['granted'] = purposes;
  announceChange();
};

ownListeners(document);
beforeEach(() => {
  window.dataLayer = [];
  for (const measure of Object.values(vitals)) measure.mockReset();
});

it('LCP, CLS and INP are told as they are known', () => {
  dataset['granted'] = 'analytics_storage';
  measureWebVitals();
  for (const [name, measure] of Object.entries(vitals)) {
    const [[tell]] = measure.mock.calls as [[(metric: object) => void]];
    tell({ name: name.slice(2), value: 1.5, id: 'v5-1', rating: 'good', entries: [] });
  }
  expect(window.dataLayer).toEqual([
    { event: 'web-vitals', name: 'LCP', value: 1.5, id: 'v5-1' },
    { event: 'web-vitals', name: 'CLS', value: 1.5, id: 'v5-1' },
    { event: 'web-vitals', name: 'INP', value: 1.5, id: 'v5-1' },
  ]);
});

it('nothing is measured before there is leave: the click that gives it would end the measuring of the largest paint', () => {
  dataset['granted'] = '';
  whenGranted('analytics_storage', measureWebVitals);
  grant('ad_storage');
  expect(vitals.onLCP).not.toHaveBeenCalled();
  grant('ad_storage analytics_storage');
  expect(vitals.onLCP).toHaveBeenCalledOnce();
});

it('with leave from the beginning it is measured at once, and once', () => {
  dataset['granted'] = 'analytics_storage';
  whenGranted('analytics_storage', measureWebVitals);
  expect(vitals.onLCP).toHaveBeenCalledOnce();
  grant('');
  grant('analytics_storage');
  expect(vitals.onLCP).toHaveBeenCalledOnce();
});

it('leave that is given again begins nothing twice', () => {
  dataset['granted'] = '';
  whenGranted('analytics_storage', measureWebVitals);
  for (const purposes of ['analytics_storage', '', 'analytics_storage']) grant(purposes);
  expect(vitals.onLCP).toHaveBeenCalledOnce();
});
