import '../../../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sharedExample } from '../../../../scripts/examples.ts';
import { isGranted, watchConsent } from '../../../lib/consent.ts';
import { catchUp, press } from './consent-controls.ts';

const shared = sharedExample();
const sent = vi.fn<(path: string, asked: RequestInit) => Promise<Response>>();
let stop: () => void = () => {};
let changes: number;

beforeEach(() => {
  changes = 0;
  stop();
  stop = watchConsent(() => {
    changes += 1;
  });
  sent.mockReset();
  localStorage.clear();
  sessionStorage.clear();
  window.dataLayer = [];
  vi.stubGlobal('fetch', sent);
  sent.mockResolvedValue(new Response(null, { status: 204 }));
  Object.defineProperty(navigator, 'globalPrivacyControl', { value: false, configurable: true });
  // biome-ignore lint/suspicious/noDocumentCookie: a test of cookies
  document.cookie = 'consent_status=; Max-Age=0';
});

/** A page of that profile and theme, as the script in the head leaves it. */
function open(profile: 'spec' | 'strict', theme: 'gdpr' | 'small'): void {
  const rules = { ...shared.visitor, consentProfile: profile, consentPolicyVersion: '7' };
  document.documentElement.dataset['consentTheme'] = theme;
  document.body.innerHTML = `
    <script type="application/json" id="_visitor">${JSON.stringify({ rules })}</script>
    <section data-consent-theme="${theme}" data-text-hash="abc">
      <p id="details" hidden>more</p>
      <button data-consent-more="More" data-consent-less="Less" aria-expanded="false" aria-controls="details">More</button>
      <button data-consent-choice="accept">Accept</button>
      <button data-consent-choice="reject">Reject</button>
      <button data-consent-settings>Manage</button>
    </section>
    <main id="_main" tabindex="-1"></main>
    <dialog data-consent-dialog data-text-hash="def">
      <input type="checkbox" name="analytics_storage"><input type="checkbox" name="ad_storage">
    </dialog>
    <p data-consent-status="Saved."></p>`;
  catchUp();
  changes = 0;
  window.dataLayer = [];
}

function find<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`there is no ${selector}`);
  return found;
}

function pressOn(selector: string): void {
  press(find(selector, HTMLButtonElement));
}

function cookie(): unknown {
  return JSON.parse(decodeURIComponent(document.cookie.replace('consent_status=', '') || 'null'));
}

/** Consent Mode commands, as arrays. */
function told(): unknown[] {
  return (window.dataLayer ?? []).map((command) => Array.from(command as IArguments).slice(1));
}

function recorded(): unknown {
  const [path, asked] = sent.mock.calls[0] ?? [];
  expect(path).toBe('/__consent');
  expect(asked).toMatchObject({ method: 'POST', keepalive: true, headers: { 'content-type': 'application/json' } });
  return JSON.parse(String(asked?.body));
}

describe('accepting', () => {
  it('keeps the choice, tells tags and whoever watches, and moves on to the page', () => {
    open('strict', 'gdpr');
    expect([isGranted('ad_storage'), document.documentElement.dataset['consent']]).toEqual([false, 'gdpr']);
    pressOn('[data-consent-choice=accept]');
    expect(cookie()).toEqual({ ad_storage: true, analytics_storage: true, policy_version: '7' });
    expect(document.documentElement.dataset['consent']).toBe('nothing');
    expect([isGranted('ad_storage'), isGranted('analytics_storage'), changes]).toEqual([true, true, 1]);
    const all = 'granted';
    expect(told()).toEqual([
      ['update', { ad_storage: all, analytics_storage: all, ad_user_data: all, ad_personalization: all }],
    ]);
    expect(document.activeElement?.id).toBe('_main');
    expect(find('[data-consent-status]', HTMLElement).textContent).toBe('Saved.');
    expect(recorded()).toEqual({
      policyVersion: '7',
      textHash: 'abc',
      choices: { ad_storage: true, analytics_storage: true },
      method: 'accept',
    });
  });

  it('leaves no seen flag of the banner, but one of the notice', () => {
    open('spec', 'gdpr');
    pressOn('[data-consent-choice=accept]');
    expect(localStorage.getItem('consentSeen')).toBeNull();
    open('spec', 'small');
    pressOn('[data-consent-choice=accept]');
    expect(new Date(localStorage.getItem('consentSeen') ?? '').getTime()).toBeCloseTo(Date.now(), -4);
  });

  it('holds on this page where nothing can be stored', () => {
    open('strict', 'small');
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('blocked');
    });
    vi.spyOn(document, 'cookie', 'set').mockImplementation(() => {});
    pressOn('[data-consent-choice=accept]');
    expect(isGranted('analytics_storage')).toBe(true);
    expect(document.documentElement.dataset['consent']).toBe('nothing');
    vi.restoreAllMocks();
  });

  it('holds where the record cannot be sent', () => {
    open('strict', 'gdpr');
    sent.mockImplementationOnce(() => {
      throw new Error('blocked');
    });
    pressOn('[data-consent-choice=accept]');
    expect(isGranted('ad_storage')).toBe(true);
  });
});

it('withdrawing takes along what was kept, each purpose its own', () => {
  open('strict', 'gdpr');
  pressOn('[data-consent-choice=accept]');
  localStorage.setItem('adClickId', '{}');
  localStorage.setItem('firstVisitUrl', '/');
  sessionStorage.setItem('sessionEntryUrl', '/');
  sessionStorage.setItem('menuNews', '[]');
  choose({ analytics_storage: true, ad_storage: false });
  expect(Object.keys({ ...localStorage, ...sessionStorage }).sort()).toEqual([
    'firstVisitUrl',
    'menuNews',
    'sessionEntryUrl',
  ]);
  choose({ analytics_storage: false, ad_storage: false });
  expect(Object.keys({ ...localStorage, ...sessionStorage })).toEqual(['menuNews']);
  expect([isGranted('ad_storage'), isGranted('analytics_storage'), changes]).toEqual([false, false, 3]);
});

/** Opens the settings, sets the switches, closes with `value`. */
function choose(switches: Record<string, boolean>, value = 'save'): HTMLDialogElement {
  const dialog = find('dialog', HTMLDialogElement);
  Object.assign(dialog, { showModal() {}, returnValue: '' });
  pressOn('[data-consent-settings]');
  for (const input of dialog.querySelectorAll('input')) input.checked = switches[input.name] ?? input.checked;
  dialog.returnValue = value;
  dialog.dispatchEvent(new Event('close'));
  return dialog;
}

describe('the settings', () => {
  it('hide the banner, and bring it back where nothing was saved', () => {
    open('spec', 'gdpr');
    const dialog = find('dialog', HTMLDialogElement);
    const showModal = vi.fn(() => expect(document.documentElement.dataset['consent']).toBe('nothing'));
    Object.assign(dialog, { showModal, returnValue: '' });
    pressOn('[data-consent-settings]');
    expect(showModal).toHaveBeenCalledOnce();
    dialog.dispatchEvent(new Event('close'));
    expect(document.documentElement.dataset['consent']).toBe('gdpr');
    expect(document.activeElement?.hasAttribute('data-consent-settings')).toBe(true);
    expect([document.cookie, changes, sent.mock.calls.length]).toEqual(['', 0, 0]);
  });

  it.each([
    ['spec', true],
    ['strict', false],
  ] as const)('begin in %s with both switches on: %s', (profile, isOn) => {
    open(profile, 'gdpr');
    const dialog = choose({}, '');
    expect([...dialog.querySelectorAll('input')].map(({ checked }) => checked)).toEqual([isOn, isOn]);
  });

  it('record what was chosen there, and that it was there', () => {
    open('strict', 'gdpr');
    choose({ analytics_storage: true });
    expect(cookie()).toEqual({ ad_storage: false, analytics_storage: true, policy_version: '7' });
    const choices = { ad_storage: false, analytics_storage: true };
    expect(recorded()).toEqual({ policyVersion: '7', textHash: 'def', choices, method: 'settings' });
  });

  it('offer no advertising to a browser that objects to it', () => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true, configurable: true });
    open('strict', 'gdpr');
    const dialog = choose({}, '');
    const [statistics, ads] = dialog.querySelectorAll('input');
    expect([statistics?.disabled, ads?.disabled, ads?.checked]).toEqual([false, true, false]);
    pressOn('[data-consent-choice=accept]');
    expect(cookie()).toEqual({ ad_storage: false, analytics_storage: true, policy_version: '7' });
  });
});

it('the details are shown and hidden again', () => {
  open('spec', 'gdpr');
  const button = find('[data-consent-more]', HTMLButtonElement);
  const state = () => [button.ariaExpanded ?? button.getAttribute('aria-expanded'), button.textContent];
  pressOn('[data-consent-more]');
  expect([...state(), find('#details', HTMLElement).hidden]).toEqual(['true', 'Less', false]);
  pressOn('[data-consent-more]');
  expect([...state(), find('#details', HTMLElement).hidden]).toEqual(['false', 'More', true]);
});

it('a choice made in another tab is caught up with, once', () => {
  open('strict', 'gdpr');
  // biome-ignore lint/suspicious/noDocumentCookie: another tab's
  document.cookie = `consent_status=${encodeURIComponent('{"ad_storage":true,"analytics_storage":true,"policy_version":"7"}')}`;
  catchUp();
  catchUp();
  expect([isGranted('ad_storage'), document.documentElement.dataset['consent'], changes]).toEqual([true, 'nothing', 1]);
});

it('keeps the latest choice where the answer to an earlier one comes late', async () => {
  let answer = (_: Response) => {};
  sent.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  open('strict', 'gdpr');
  pressOn('[data-consent-choice=accept]');
  const earlier = document.cookie;
  choose({ analytics_storage: true, ad_storage: false });
  const latest = cookie();
  // biome-ignore lint/suspicious/noDocumentCookie: as the answer sets it
  document.cookie = earlier;
  answer(new Response(null, { status: 204 }));
  await vi.waitFor(() => expect(cookie()).toEqual(latest));
});
