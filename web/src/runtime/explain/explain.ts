/** `portolan.explain()` in the console: this visitor's view, the page's code, and the rule behind each. */
import type { DeferredScript, RuntimeRules } from '../../contract/types.ts';
import { judgeScript } from '../../domain/deferred-scripts.ts';
import { decideVisitor, type VisitorSettings } from '../../domain/visitor.ts';
import { isGranted } from '../../lib/consent.ts';
import { readServedCountry, readVisitorCountry } from '../../lib/visitor-country.ts';
import type { AwaitedPart, When } from '../parts/parts.ts';

interface Explained {
  value: string;
  because: string;
}

const FROM = {
  cookie: 'the cookie country_code',
  site: "the site's own country: nothing else is known of the visitor",
  nothing: 'nothing is known of the visitor, and this site assumes no country',
} as const;

const WHEN: Record<When, string> = {
  load: 'fetched with the first sign of a visitor',
  idle: 'fetched once the page has loaded',
  near: 'fetched once they are about to be seen',
  lazy: 'fetched a while after the page has loaded, or once they are about to be seen',
  touch: 'fetched once they are touched',
};

export function explainPage(parts: readonly AwaitedPart[]): Record<string, Explained> {
  const root = document.documentElement;
  const settings: VisitorSettings = JSON.parse(document.getElementById('_visitor')?.textContent ?? '');
  const { deferredScripts }: RuntimeRules = JSON.parse(document.getElementById('_runtime')?.textContent ?? '');
  const visitor = decideVisitor(settings, readVisitorCountry());
  const { rules } = settings;
  const byCountry = "the visitor's country";
  const phone = document.querySelector(`[data-phone-id="${visitor.phone}"]`)?.textContent ?? 'none';
  return {
    site: { value: `${root.dataset['site']} (${root.lang}, ${root.dir})`, because: location.origin },
    country: { value: visitor.country || 'unknown', because: FROM[visitor.countryFrom] },
    phone: { value: phone, because: rules.phone === 'own' ? "the site's country" : `${byCountry}, else the default` },
    offices: {
      value: visitor.officeSet,
      because: rules.offices === 'own' ? "the site's own set" : `${byCountry}, else the default set`,
    },
    headquarters: { value: visitor.headquarters ? 'labelled' : 'not labelled', because: byCountry },
    careers: { value: visitor.cis ? 'shown' : 'hidden', because: `${byCountry}: shown in the CIS` },
    'consent profile': { value: rules.consentProfile, because: "the site's entry in the registry" },
    'consent theme': {
      value: visitor.consentTheme,
      because: rules.consentTheme === 'by-country' ? `${byCountry}: gdpr in the EEA, ch and gb` : "the site's own",
    },
    granted: { value: root.dataset['granted'] || 'nothing', because: 'the cookie consent_status, else the profile' },
    ...Object.fromEntries(deferredScripts.map((script) => [`${script.name} script`, explainScript(script)])),
    ...Object.fromEntries(parts.flatMap(explainPart)),
    ...Object.fromEntries(Array.from(document.querySelectorAll('[data-island]'), explainIsland)),
  };
}

/** Of a part that the page has. */
function explainPart([on, when]: AwaitedPart): [string, Explained][] {
  const { length } = document.querySelectorAll(on);
  return length === 0 ? [] : [[`part of ${on}, ${when}`, { value: `${length} on this page`, because: WHEN[when] }]];
}

function explainIsland(island: Element): [string, Explained] {
  const value = island.hasAttribute('data-awake') ? 'awake' : 'static HTML';
  return [`island ${island.id}`, { value, because: 'fetched once somebody comes near, run once it is touched' }];
}

function explainScript(script: DeferredScript): Explained {
  const value = judgeScript(script, readServedCountry(), isGranted);
  const { purpose, withheldIn } = script;
  if (value === 'withheld') return { value, because: `the visitor's country: withheld in ${withheldIn.join(', ')}` };
  return { value, because: purpose === 'necessary' ? 'it needs no leave' : `what is granted: it is for ${purpose}` };
}

/** Prints it as a table, and gives it back. */
export function explain(parts: readonly AwaitedPart[]): Record<string, Explained> {
  const explained = explainPage(parts);
  console.table(explained);
  return explained;
}
