/**
 * Inline script in the head that runs before anything is painted. It decides about the visitor's view, sets it in attributes of
 * the document, and shows it through a stylesheet that the pages' policy allows. It also passes the visitor's consent to tags
 * before any tag is loaded, and fetches the loader.
 */
import { decideConsent, startingConsent } from '../domain/consent.ts';
import { decideVisitor, type VisitorSettings } from '../domain/visitor.ts';
import { applyConsent, keepConsent, readConsentInput, signalConsent } from '../lib/keep-consent.ts';
import { trustPolicy } from '../lib/trust-policy.ts';
import { readVisitorCountry } from '../lib/visitor-country.ts';

const settings: VisitorSettings = JSON.parse(document.getElementById('_visitor')?.textContent ?? '');
const visitor = decideVisitor(settings, readVisitorCountry());
const root = document.documentElement;
Object.assign(root.dataset, {
  country: visitor.country,
  countryFrom: visitor.countryFrom,
  officeSet: visitor.officeSet,
  phone: visitor.phone,
  consentTheme: visitor.consentTheme,
});
root.toggleAttribute('data-headquarters', visitor.headquarters);
root.toggleAttribute('data-cis', visitor.cis);

/** Of all elements with `attribute`, those that match `chosen` are shown and no other. */
function show(attribute: string, chosen: string): string {
  return `[${attribute}]:not(${chosen}){display:none!important}${chosen}[hidden]{display:block!important}`;
}

try {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    [
      show('data-sets', `[data-sets~="${visitor.officeSet}"]`),
      show('data-phone-id', `[data-phone-id="${visitor.phone}"]`),
      show('data-region', visitor.cis ? '[data-region=cis]' : '[data-region=none]'),
      show('data-only-country', `[data-only-country="${visitor.country}"]`),
      `[data-not-country="${visitor.country}"]{display:none!important}`,
      show(
        'data-headquarters-label',
        visitor.headquarters ? '[data-headquarters-label=yes]' : '[data-headquarters-label=no]',
      ),
      `[data-review-country="${visitor.country}"]{order:-1;display:grid!important}`,
      `[data-yields-to~="${visitor.country}"]{display:none!important}`,
      // The list is still loading: its last rows may be for the visitor, and would push down rows that are painted
      // already.
      ':root[data-parsing] [data-reviews]:not(:has(+*)){visibility:hidden}',
    ].join(''),
  );
  document.adoptedStyleSheets.push(sheet);
} catch {
  // Browsers without constructed stylesheets show the content for all visitors.
}

// A page that is opened at its top may lay out lower sections later. A return to the middle of a page needs all of them.
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
root.toggleAttribute('data-lays-out-later', navigation?.type === 'navigate' && !location.hash);

// Elements that need a complete layout are hidden during parsing. Once the document is parsed, all are visible, even if a proxy removed parts.
root.toggleAttribute('data-parsing', true);
addEventListener('DOMContentLoaded', () => root.removeAttribute('data-parsing'));

const consent = readConsentInput(settings.rules, visitor.consentTheme);
const state = decideConsent(consent);
if (state.saves) keepConsent(state.saves);
applyConsent(state);
root.toggleAttribute('data-gpc', consent.gpc);
signalConsent('default', startingConsent(consent.profile));
if (consent.saved) signalConsent('update', state.granted);

/**
 * The loader comes after the first paint: fetched with the styles, it takes its share of a slow line from them and from the
 * picture that is seen first. Where nothing is painted, as in a tab in the background, it comes at the end of loading.
 */
const loader = document.createElement('script');
loader.type = 'module';
loader.src = trustPolicy('visitor').createScriptURL(document.currentScript?.dataset['loader'] ?? '');
const load = () => loader.isConnected || document.head.append(loader);
addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(load)));
addEventListener('load', load);

/** A button that only a script answers, pressed before it came, is pressed again. */
let pressed: HTMLElement | null = null;
const remember = ({ target }: Event) => {
  pressed = (target as HTMLElement).closest?.('[type=button]:not([popovertarget])');
};
addEventListener('click', remember);
loader.onload = () => {
  removeEventListener('click', remember);
  pressed?.click();
};
