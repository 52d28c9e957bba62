/** The consent script of every page: it fetches the other code when a visitor chooses, or has chosen in another tab. */
import { readConsentCookie } from '../../../lib/consent.ts';
import { whenLoaded } from '../../../runtime/loaded.ts';
import { retryOnce } from '../../../runtime/retry-once.ts';

const CONTROLS = '[data-consent-choice],[data-consent-more],[data-consent-settings]';

export function startConsent(): void {
  document.addEventListener('click', ({ target }) => {
    const control = target instanceof Element ? target.closest<HTMLElement>(CONTROLS) : null;
    if (control) use(({ press }) => press(control));
  });
  if (document.documentElement.dataset['consent'] !== 'nothing')
    whenLoaded(async () => {
      (await import('./keep-clear.ts')).keepClear();
    });
  watchOtherTabs();
}

/** A page that becomes visible again may be older than a choice made in another tab. */
function watchOtherTabs(): void {
  let known = readConsentCookie();
  const look = () => {
    if (known === readConsentCookie()) return;
    known = readConsentCookie();
    use(({ catchUp }) => catchUp());
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('pageshow', look);
}

function use(run: (controls: typeof import('./consent-controls.ts')) => void): void {
  retryOnce(() => import('./consent-controls.ts'))
    .then(run)
    .catch((error) => console.error('Not loaded: consent.', error));
}
