/** What makes an application of the site's pages. Fetched after load, without React; pages are complete without it. */
import type { RuntimeRules } from '../contract/types.ts';
import { startDeferredScripts } from '../runtime/deferred-scripts.ts';
import { startDrafts } from '../runtime/drafts.ts';
import { startKeptLeads } from '../runtime/kept-leads.ts';
import { layOutRest } from '../runtime/lay-out.ts';
import { startLazy } from '../runtime/lazy.ts';
import { startNavigation } from '../runtime/navigation.ts';
import { ownTask } from '../runtime/own-task.ts';
import type { RunningPage } from '../runtime/page.ts';
import { startPrefetch } from '../runtime/prefetch.ts';
import { startServiceWorker } from '../runtime/service-worker.ts';
import { startTagEvents } from '../runtime/tag-events.ts';
import { startTracking } from '../runtime/tracking.ts';
import { whenGranted } from '../runtime/when-granted.ts';

export async function startRuntime(page: RunningPage): Promise<void> {
  const rules: RuntimeRules = JSON.parse(document.getElementById('runtime')?.textContent ?? '');
  startTracking();
  startNavigation(page);
  startTagEvents();
  startDeferredScripts(rules.deferredScripts);
  await ownTask();
  startPrefetch();
  startLazy(page);
  startDrafts(page);
  startKeptLeads();
  if (rules.webVitals)
    whenGranted('analytics_storage', () =>
      import('../runtime/web-vitals.ts').then(({ measureWebVitals }) => measureWebVitals(), console.error),
    );
  if (rules.serviceWorker) void startServiceWorker();
  await layOutRest();
}
