import '../testing/dom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sharedExample } from '../../scripts/examples.ts';
import type { VisitorRules } from '../contract/types.ts';
import { ownListeners } from '../testing/own-listeners.ts';

const VERSION = '7';
const ALL = { ad_storage: true, analytics_storage: true };
const NOTHING = { ad_storage: false, analytics_storage: false };
const STATISTICS = { ad_storage: false, analytics_storage: true };
const BOTH = 'ad_storage analytics_storage';

interface Arrival {
  rules?: Partial<VisitorRules>;
  country?: string;
  /** The value of the consent cookie. */
  saved?: object;
  /** When the notice was acknowledged. */
  seen?: Date;
  gpc?: boolean;
  load?: string;
}

const root = document.documentElement;
ownListeners(window);

/** Runs the script of the head, as a browser does before it paints. */
async function arrive({ rules, country, saved, seen, gpc = false, load = 'navigate' }: Arrival = {}): Promise<void> {
  const settings = {
    rules: { ...sharedExample().visitor, country: '', consentPolicyVersion: VERSION, ...rules },
    officeSet: 'default',
    phones: [],
  };
  document.body.innerHTML = `<script type="application/json" id="_visitor">${JSON.stringify(settings)}</script>`;
  if (country) setCookie('country_code', country);
  if (saved) setCookie('consent_status', encodeURIComponent(JSON.stringify(saved)));
  if (seen) localStorage.setItem('consentSeen', seen.toISOString());
  Object.defineProperty(navigator, 'globalPrivacyControl', { value: gpc, configurable: true });
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: load } as PerformanceNavigationTiming]);
  vi.resetModules();
  await import('./visitor.ts');
}

function setCookie(name: string, value: string, more = ''): void {
  // biome-ignore lint/suspicious/noDocumentCookie: a test of cookies
  document.cookie = `${name}=${value}; Path=/${more}`;
}

function cookie(): unknown {
  const value = document.cookie.match(/consent_status=([^;]*)/)?.[1];
  return value === undefined ? null : JSON.parse(decodeURIComponent(value));
}

/** Returns the commands for tags, each with its first and its second signal. */
function told(): unknown[] {
  return (window.dataLayer ?? []).map((command) => {
    const [name, what, { ad_storage, analytics_storage, ad_user_data, ad_personalization }] = Array.from(
      command as ArrayLike<Record<string, string>>,
    ) as [unknown, unknown, Record<string, string>];
    expect([name, ad_user_data, ad_personalization]).toEqual(['consent', ad_storage, ad_storage]);
    return [what, ad_storage, analytics_storage];
  });
}

beforeEach(() => {
  for (const name of ['country_code', 'consent_status']) setCookie(name, '', '; Max-Age=0');
  localStorage.clear();
  delete window.dataLayer;
  for (const name of Object.keys(root.dataset)) delete root.dataset[name];
  history.replaceState(null, '', '/');
});

const days = (count: number) => new Date(Date.now() - count * 86_400_000);
const SPEC = { consentProfile: 'spec', consentTheme: 'by-country' } as const;
const STRICT = { ...SPEC, consentProfile: 'strict' } as const;
const GRANTED = ['default', 'granted', 'granted'];
const DENIED = ['default', 'denied', 'denied'];
const UNDER_POLICY = { policy_version: VERSION };

type Row = [what: string, arrival: Arrival, shows: string, granted: string, saved: unknown, told: unknown[]];

const ROWS: Row[] = [
  ['spec: the banner asks, keeps nothing and grants', { rules: SPEC, country: 'de' }, 'gdpr', BOTH, null, [GRANTED]],
  ['spec: the notice keeps all by itself', { rules: SPEC, country: 'us' }, 'small', BOTH, ALL, [GRANTED]],
  ['spec: so does that of an unknown country', { rules: SPEC }, 'small', BOTH, ALL, [GRANTED]],
  [
    'spec: the notice comes again until it was seen',
    { rules: SPEC, saved: ALL },
    'small',
    BOTH,
    ALL,
    [GRANTED, ['update', 'granted', 'granted']],
  ],
  [
    'spec: it was seen 88 days ago',
    { rules: SPEC, saved: ALL, seen: days(88) },
    'nothing',
    BOTH,
    ALL,
    [GRANTED, ['update', 'granted', 'granted']],
  ],
  ['spec: 93 days ago is too long', { rules: SPEC, seen: days(93) }, 'small', BOTH, ALL, [GRANTED]],
  [
    'spec: a refusal holds',
    { rules: SPEC, country: 'de', saved: NOTHING },
    'nothing',
    '',
    NOTHING,
    [GRANTED, ['update', 'denied', 'denied']],
  ],
  ['strict: the banner asks and grants nothing', { rules: STRICT, country: 'de' }, 'gdpr', '', null, [DENIED]],
  ['strict: so does the notice', { rules: STRICT, country: 'us' }, 'small', '', null, [DENIED]],
  [
    'strict: that it was seen is no choice',
    { rules: { ...STRICT, consentTheme: 'small' }, seen: days(1) },
    'small',
    '',
    null,
    [DENIED],
  ],
  [
    'strict: a choice holds',
    { rules: STRICT, country: 'de', saved: { ...STATISTICS, ...UNDER_POLICY } },
    'nothing',
    'analytics_storage',
    { ...STATISTICS, ...UNDER_POLICY },
    [DENIED, ['update', 'denied', 'granted']],
  ],
  [
    'strict: a newer policy asks again',
    { rules: STRICT, country: 'de', saved: { ...ALL, policy_version: '6' } },
    'gdpr',
    '',
    { ...ALL, policy_version: '6' },
    [DENIED, ['update', 'denied', 'denied']],
  ],
  [
    'strict: the signal of the browser takes advertising out',
    { rules: STRICT, country: 'de', saved: { ...ALL, ...UNDER_POLICY }, gpc: true },
    'nothing',
    'analytics_storage',
    { ...ALL, ...UNDER_POLICY },
    [DENIED, ['update', 'denied', 'granted']],
  ],
];

describe('before anything is painted', () => {
  it.each(ROWS)('%s', async (_, arrival, shows, granted, saved, said) => {
    await arrive(arrival);
    expect([root.dataset['consent'], root.dataset['granted'], cookie()]).toEqual([shows, granted, saved]);
    expect(told()).toEqual(said);
    expect(root.hasAttribute('data-gpc')).toBe(arrival.gpc === true);
  });

  it('a cookie that it writes is for all pages and for three months', async () => {
    const written = vi.spyOn(document, 'cookie', 'set');
    await arrive({ rules: SPEC });
    const [value = ''] = written.mock.calls.map(([text]) => text).filter((text) => text.startsWith('consent_status'));
    expect(value).toMatch(/; Path=\/; Expires=[^;]+; SameSite=Lax$/);
    const left = Date.parse(value.match(/Expires=([^;]+)/)?.[1] ?? '') - Date.now();
    expect(left / 86_400_000).toBeGreaterThan(88.9);
    expect(left / 86_400_000).toBeLessThan(92.1);
  });

  it('nothing breaks where storage is blocked', async () => {
    vi.stubGlobal('localStorage', undefined);
    await expect(arrive({ rules: STRICT, country: 'de' })).resolves.toBeUndefined();
    expect([root.dataset['consent'], told()]).toEqual(['gdpr', [DENIED]]);
    vi.unstubAllGlobals();
  });

  it('the document says the country, and how it is known', async () => {
    await arrive({ rules: { ...SPEC, country: 'kz' }, country: 'fr' });
    expect(root.dataset).toMatchObject({ country: 'fr', countryFrom: 'cookie', consentTheme: 'gdpr' });
    setCookie('country_code', '', '; Max-Age=0');
    await arrive({ rules: { ...SPEC, country: 'kz' } });
    expect(root.dataset).toMatchObject({ country: 'kz', countryFrom: 'site', consentTheme: 'small' });
  });

  it.each([
    ['navigate', '', true],
    ['navigate', '#offices', false],
    ['reload', '', false],
    ['back_forward', '', false],
  ])('a page loaded by %s at "%s" may lay out later what is far down: %s', async (load, hash, later) => {
    history.replaceState(null, '', `/about-us${hash}`);
    await arrive({ load });
    expect(root.hasAttribute('data-lays-out-later')).toBe(later);
  });
});

it('says that the document is still coming, until it is there: nothing of the page stays hidden', async () => {
  await arrive();
  expect(root.hasAttribute('data-parsing')).toBe(true);
  dispatchEvent(new Event('DOMContentLoaded'));
  expect(root.hasAttribute('data-parsing')).toBe(false);
});

describe('the loader', () => {
  const loaders = () =>
    [...document.head.querySelectorAll<HTMLScriptElement>('script[type=module]')].map(({ src }) => src);

  beforeEach(async () => {
    document.head.replaceChildren();
    vi.useFakeTimers();
    const own = document.createElement('script');
    own.dataset['loader'] = '/assets/browser.js';
    vi.spyOn(document, 'currentScript', 'get').mockReturnValue(own);
    await arrive();
  });
  afterEach(() => vi.useRealTimers());

  it('is fetched once the document is there and has been painted', () => {
    expect(loaders()).toEqual([]);
    dispatchEvent(new Event('DOMContentLoaded'));
    expect(loaders()).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(loaders()).toEqual([`${location.origin}/assets/browser.js`]);
    dispatchEvent(new Event('load'));
    expect(loaders()).toHaveLength(1);
  });

  it('is fetched at the end of loading where nothing is painted', () => {
    dispatchEvent(new Event('load'));
    expect(loaders()).toHaveLength(1);
  });

  it.each([
    ['a', 0],
    ['[type=submit]', 0],
    ['[popovertarget]', 0],
    ['b', 1],
  ])('finds what was pressed before it came: %s, pressed %i times more', (selector, times) => {
    document.body.innerHTML =
      '<a href="#x">x</a><button type="submit">s</button>' +
      '<button type="button" popovertarget="p">p</button><button type="button"><b>b</b></button>';
    dispatchEvent(new Event('load'));
    document.querySelector<HTMLElement>(selector)?.click();
    const answer = vi.fn();
    document.body.addEventListener('click', answer);
    document.querySelector('script[type=module]')?.dispatchEvent(new Event('load'));
    expect(answer).toHaveBeenCalledTimes(times);
  });
});
