import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { announceRoute } from '../../lib/route-change.ts';
import { startTagEvents } from './tag-events.ts';

const { dataset } = document.documentElement;
vi.useFakeTimers();
startTagEvents();

beforeEach(() => {
  window.dataLayer = [];
  dataset['granted'] = 'analytics_storage';
});

describe('a change of page', () => {
  it('is told 50 ms later', () => {
    announceRoute({ path: '/about-us', title: 'About us' });
    vi.advanceTimersByTime(49);
    expect(window.dataLayer).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(window.dataLayer).toEqual([{ event: 'route-change', path: '/about-us', title: 'About us' }]);
  });

  it('is told although another one follows at once', () => {
    announceRoute({ path: '/1', title: 'One' });
    announceRoute({ path: '/2', title: 'Two' });
    vi.advanceTimersByTime(50);
    expect(window.dataLayer).toMatchObject([{ path: '/1' }, { path: '/2' }]);
  });

  it.each(['', 'ad_storage'])('is not told with leave for %j alone, and not later either', (granted) => {
    dataset['granted'] = granted;
    announceRoute({ path: '/1', title: 'One' });
    vi.advanceTimersByTime(50);
    dataset['granted'] = 'analytics_storage';
    vi.advanceTimersByTime(1000);
    expect(window.dataLayer).toEqual([]);
  });
});
