import '../../testing/dom.ts';
import { PARTS } from 'virtual:parts';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedExample } from '../../../scripts/examples.ts';
import type { DeferredScript, VisitorRules } from '../../contract/types.ts';
import { explainPage } from './explain.ts';

const script = (name: string, purpose: DeferredScript['purpose'], withheldIn: string[] = []): DeferredScript => ({
  name,
  src: `/demo/${name}.js`,
  purpose,
  withheldIn,
  offMainThread: false,
});
const SCRIPTS = [
  script('captcha', 'necessary'),
  script('chat', 'analytics_storage'),
  script('settings', 'ad_storage', ['by']),
];
const root = document.documentElement;

/** The values alone, of a visitor from that country. */
function explained(country: string, rules: Partial<VisitorRules>): Record<string, string> {
  const phones = [
    { id: 'dallas', isDefault: true, countries: ['us'] },
    { id: 'almaty', isDefault: false, countries: ['kz'] },
  ];
  const visitor = { rules: { ...sharedExample().visitor, country: '', ...rules }, officeSet: 'default', phones };
  document.body.innerHTML =
    `<script type="application/json" id="_visitor">${JSON.stringify(visitor)}</script>` +
    `<script type="application/json" id="_runtime">${JSON.stringify({ deferredScripts: SCRIPTS })}</script>` +
    '<a data-phone-id="almaty">+7 727</a><a data-phone-id="dallas">+1 214</a>' +
    '<header data-header></header><div id="form" data-island="lead-form"></div>';
  root.dataset['country'] = country;
  // biome-ignore lint/suspicious/noDocumentCookie: a test of cookies
  document.cookie = `country_code=${country}; Path=/`;
  return Object.fromEntries(Object.entries(explainPage(PARTS)).map(([name, { value }]) => [name, value]));
}

beforeEach(() => {
  delete root.dataset['granted'];
});

describe('portolan.explain()', () => {
  it('says what a visitor is shown', () => {
    root.dataset['granted'] = 'ad_storage analytics_storage';
    expect(
      explained('kz', { offices: 'visitor', phone: 'visitor', consentTheme: 'by-country', consentProfile: 'spec' }),
    ).toMatchObject({
      country: 'kz',
      phone: '+7 727',
      offices: 'kz',
      careers: 'shown',
      'consent profile': 'spec',
      'consent theme': 'small',
      granted: 'ad_storage analytics_storage',
      'captcha script': 'allowed',
      'chat script': 'allowed',
      'settings script': 'allowed',
    });
  });

  it('says what code the page has, and when it comes', () => {
    expect(explained('kz', {})).toMatchObject({
      'part of [data-header], load': '1 on this page',
      'part of [data-header], touch': '1 on this page',
      'island form': 'static HTML',
    });
    expect(Object.keys(explainPage(PARTS))).not.toContain('part of [data-accordion], load');
  });

  it('says which scripts somebody gets who has agreed to nothing, where one is withheld', () => {
    expect(explained('by', { consentProfile: 'strict' })).toMatchObject({
      'consent profile': 'strict',
      granted: 'nothing',
      'captcha script': 'allowed',
      'chat script': 'not-granted',
      'settings script': 'withheld',
    });
  });
});
