import '../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { announceChange } from '../../lib/consent.ts';
import { ownListeners } from '../../testing/own-listeners.ts';
import { startTracking } from './tracking.ts';

const { dataset } = document.documentElement;
const open = (address: string) => {
  history.replaceState(null, '', address);
  startTracking();
};
const kept = () => [
  localStorage.getItem('firstVisitUrl'),
  sessionStorage.getItem('sessionEntryUrl'),
  localStorage.getItem('adClickId'),
];
const at = (address: string) => `${location.origin}${address}`;

ownListeners(document, window);
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  dataset['granted'] = 'ad_storage analytics_storage';
});

describe('where a visitor came from', () => {
  it('is kept from the first page on, and the click by its latest', () => {
    open('/about-us?wbraid=1#offices');
    open('/contact-us');
    expect(kept()).toEqual([
      at('/about-us?wbraid=1#offices'),
      at('/about-us?wbraid=1#offices'),
      '{"type":"wbraid","value":"1"}',
    ]);
    sessionStorage.clear();
    open('/events?gclid=2');
    expect(kept()).toEqual([at('/about-us?wbraid=1#offices'), at('/events?gclid=2'), '{"type":"gclid","value":"2"}']);
  });

  it('is kept once there is leave, as it was on arrival', () => {
    dataset['granted'] = '';
    open('/about-us?gclid=1');
    expect(kept()).toEqual([null, null, null]);
    history.replaceState(null, '', '/elsewhere');
    dataset['granted'] = 'ad_storage';
    announceChange();
    expect(kept()).toEqual([null, null, '{"type":"gclid","value":"1"}']);
    dataset['granted'] = 'ad_storage analytics_storage';
    announceChange();
    expect(kept()).toEqual([at('/about-us?gclid=1'), at('/about-us?gclid=1'), '{"type":"gclid","value":"1"}']);
  });

  it('is not kept where nothing can be kept, and nothing breaks', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(() => open('/?gclid=1')).not.toThrow();
  });
});
