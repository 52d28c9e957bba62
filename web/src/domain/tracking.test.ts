import { describe, expect, it } from 'vitest';
import { AD_CLICK_ID_MAX_CHARS, TRACKED_URL_MAX_CHARS } from '../constants.ts';
import type { Purpose } from './consent.ts';
import { chooseWrites, findAdClick } from './tracking.ts';

const ALL = () => true;
const NONE = () => false;
const HREF = 'https://brightmoor.example/about-us?gclid=abc#offices';

describe('the click on an advertisement', () => {
  it.each([
    ['', null],
    ['?utm_source=x', null],
    ['?gclid=', null],
    ['?gclid=%20', null],
    ['?gclid=a', 'gclid a'],
    ['?wbraid=b', 'wbraid b'],
    ['?gbraid=c', 'gbraid c'],
    ['?gbraid=c&wbraid=b&gclid=a', 'gclid a'],
    ['?gbraid=c&wbraid=b', 'wbraid b'],
    ['?gclid=&gbraid=c', 'gbraid c'],
    ['?gclid=first&gclid=second', 'gclid first'],
    ['?GCLID=a', null],
    ['?gclid=%3Cscript%3E', 'gclid <script>'],
  ])('in %j is %j', (search, expected) => {
    const found = findAdClick(search);
    expect(found && `${found.type} ${found.value}`).toBe(expected);
  });

  it('is not kept by half', () => {
    const longest = 'x'.repeat(AD_CLICK_ID_MAX_CHARS);
    expect(findAdClick(`?gclid=${longest}`)?.value).toBe(longest);
    expect(findAdClick(`?gclid=${longest}x`)).toBeNull();
    expect(findAdClick(`?gclid=${longest}x&gbraid=c`)).toEqual({ type: 'gbraid', value: 'c' });
  });
});

describe('what is kept of an address', () => {
  const only = (granted: Purpose) => (purpose: Purpose) => purpose === granted;
  const KEPT = { firstVisitUrl: 'https://a.example/', sessionEntryUrl: 'https://a.example/' };

  it.each([
    ['everything granted, nothing kept', ALL, {}, ['firstVisitUrl', 'sessionEntryUrl', 'adClickId']],
    ['everything granted, a later session', ALL, { firstVisitUrl: 'x' }, ['sessionEntryUrl', 'adClickId']],
    ['everything granted, a later page', ALL, KEPT, ['adClickId']],
    ['another click before', ALL, { ...KEPT, adClickId: '{}' }, ['adClickId']],
    ['statistics alone', only('analytics_storage'), {}, ['firstVisitUrl', 'sessionEntryUrl']],
    ['advertising alone', only('ad_storage'), {}, ['adClickId']],
    ['nothing granted', NONE, {}, []],
  ])('%s', (_, isGranted, kept, keys) => {
    expect(chooseWrites(HREF, kept, isGranted).map(({ key }) => key)).toEqual(keys);
  });

  it('is the whole address, and the click as the form sends it', () => {
    expect(chooseWrites(HREF, {}, ALL)).toEqual([
      { area: 'local', key: 'firstVisitUrl', value: HREF },
      { area: 'session', key: 'sessionEntryUrl', value: HREF },
      { area: 'local', key: 'adClickId', value: '{"type":"gclid","value":"abc"}' },
    ]);
  });

  it('has an end', () => {
    const [first] = chooseWrites(`${HREF}${'x'.repeat(9999)}`, {}, ALL);
    expect(first?.value).toHaveLength(TRACKED_URL_MAX_CHARS);
  });

  it('is no click where the address has none', () => {
    expect(chooseWrites('https://brightmoor.example/', KEPT, ALL)).toEqual([]);
  });
});
