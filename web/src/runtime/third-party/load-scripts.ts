/** Puts deferred scripts into the page, each once there is leave for it. Fetched when they are to be loaded. */
import type { DeferredScript, RuntimeRules } from '../../contract/types.ts';
import { judgeScript } from '../../domain/deferred-scripts.ts';
import { isGranted, watchConsent } from '../../lib/consent.ts';
import { trusted } from '../../lib/trusted.ts';
import { readServedCountry } from '../../lib/visitor-country.ts';

/** Running scripts go on when consent is withdrawn, and are left out of the next document. */
export function loadScripts(scripts: DeferredScript[]): void {
  const waiting = new Set(scripts);
  const injectAllowed = () => {
    for (const script of waiting) {
      if (judgeScript(script, readServedCountry(), isGranted) !== 'allowed') continue;
      waiting.delete(script);
      if (script.offMainThread) moveOffMainThread(script);
      else inject(script);
    }
  };
  injectAllowed();
  watchConsent(injectAllowed);
}

async function moveOffMainThread(script: DeferredScript): Promise<void> {
  try {
    (await import('./off-main-thread.ts')).runOffMainThread(script);
  } catch (error) {
    console.error(`The script ${script.name} does not run: what would run it could not be loaded.`, error);
  }
}

/** One that something on the page cannot wait for: at once, where there is leave for it. */
export function loadScript(name: string): void {
  const { deferredScripts }: RuntimeRules = JSON.parse(document.getElementById('_runtime')?.textContent ?? '');
  loadScripts(deferredScripts.filter((script) => script.name === name));
}

function inject({ name, src }: DeferredScript): void {
  if (document.querySelector(`script[data-deferred="${name}"]`)) return;
  const script = document.createElement('script');
  script.async = true;
  script.src = trusted.createScriptURL(src);
  script.dataset['deferred'] = name;
  document.head.append(script);
}
