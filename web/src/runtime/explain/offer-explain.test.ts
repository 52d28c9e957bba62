import '../../testing/dom.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { explainPage } from './explain.ts';
import { offerExplain } from './offer-explain.ts';

const RULES = { offices: 'visitor', phone: 'visitor', consentTheme: 'by-country', consentProfile: 'strict' };
const SCRIPTS = [
  { name: 'chat', src: '/chat.js', purpose: 'analytics_storage', withheldIn: [], offMainThread: false },
  { name: 'settings', src: '/s.js', purpose: 'ad_storage', withheldIn: ['ua', 'kz'], offMainThread: false },
  { name: 'captcha', src: '/c.js', purpose: 'necessary', withheldIn: [], offMainThread: false },
];

function page(country: string, rules: object = RULES, granted = 'analytics_storage'): void {
  const { documentElement: root } = document;
  Object.assign(root, { lang: 'en', dir: 'ltr' });
  Object.assign(root.dataset, { site: 'en', country, granted });
  vi.spyOn(document, 'cookie', 'get').mockReturnValue(country && `theme=dark; country_code=${country}`);
  const phones = [
    { id: 'world', isDefault: true, countries: [] },
    { id: 'astana', isDefault: false, countries: ['kz'] },
  ];
  const facts = { rules, officeSet: 'en', phones };
  document.body.innerHTML = `
    <script type="application/json" id="_visitor">${JSON.stringify(facts)}</script>
    <script type="application/json" id="_runtime">${JSON.stringify({ deferredScripts: SCRIPTS })}</script>
    <a data-phone-id="world">+1</a><a data-phone-id="astana">+7</a>`;
}

beforeEach(() => page('kz'));

it('says what a visitor of a known country is shown, and why', () => {
  expect(explainPage([])).toEqual({
    site: { value: 'en (en, ltr)', because: location.origin },
    country: { value: 'kz', because: 'the cookie country_code' },
    phone: { value: '+7', because: "the visitor's country, else the default" },
    offices: { value: 'kz', because: "the visitor's country, else the default set" },
    headquarters: { value: 'not labelled', because: "the visitor's country" },
    careers: { value: 'shown', because: "the visitor's country: shown in the CIS" },
    'consent profile': { value: 'strict', because: "the site's entry in the registry" },
    'consent theme': { value: 'small', because: "the visitor's country: gdpr in the EEA, ch and gb" },
    granted: { value: 'analytics_storage', because: 'the cookie consent_status, else the profile' },
    'chat script': { value: 'allowed', because: 'what is granted: it is for analytics_storage' },
    'settings script': { value: 'withheld', because: "the visitor's country: withheld in ua, kz" },
    'captcha script': { value: 'allowed', because: 'it needs no leave' },
  });
});

it("says where a rule is the site's own, and what is not known", () => {
  page('', { offices: 'own', phone: 'own', consentTheme: 'gdpr', consentProfile: 'spec' }, '');
  document.querySelector('a')?.remove();
  expect(explainPage([])).toMatchObject({
    country: { value: 'unknown' },
    phone: { because: "the site's country" },
    offices: { value: 'en', because: "the site's own set" },
    careers: { value: 'hidden' },
    'consent theme': { value: 'gdpr', because: "the site's own" },
    granted: { value: 'nothing' },
    'settings script': { because: 'what is granted: it is for ad_storage' },
  });
});

it('G26: is offered in the console under one name, and prints what it gives back', async () => {
  const before = new Set(Object.keys(window));
  offerExplain([]);
  expect(Object.keys(window).filter((name) => !before.has(name))).toEqual(['portolan']);
  const table = vi.spyOn(console, 'table').mockImplementation(() => {});
  const { portolan } = window as unknown as { portolan: { explain(): Promise<object> } };
  const explained = await portolan.explain();
  expect(explained).toEqual(explainPage([]));
  expect(table).toHaveBeenCalledExactlyOnceWith(explained);
});
