/** Turns the site's pages into an application. Fetched after load; pages are complete without it. Does not use React. */
import type { RuntimeRules } from '../contract/types.ts';
import { startDrafts } from '../runtime/islands/drafts.ts';
import { startKeptLeads } from '../runtime/kept-leads.ts';
import { layOutRest } from '../runtime/lay-out.ts';
import { startNavigation } from '../runtime/navigation/navigation.ts';
import { startPrefetch } from '../runtime/navigation/prefetch.ts';
import { ownTask } from '../runtime/own-task.ts';
import type { RunningPage } from '../runtime/parts/page.ts';
import { startServiceWorker } from '../runtime/service-worker.ts';
import { startDeferredScripts } from '../runtime/third-party/deferred-scripts.ts';
import { startTagEvents } from '../runtime/third-party/tag-events.ts';
import { startTracking } from '../runtime/third-party/tracking.ts';
import { whenGranted } from '../runtime/third-party/when-granted.ts';

export async function startRuntime(page: RunningPage): Promise<void> {
  const rules: RuntimeRules = JSON.parse(document.getElementById('_runtime')?.textContent ?? '');
  startTracking();
  startNavigation(page);
  startTagEvents();
  startDeferredScripts(rules.deferredScripts);
  await ownTask();
  startPrefetch();
  startDrafts(page);
  startKeptLeads();
  if (rules.webVitals)
    whenGranted('analytics_storage', () =>
      import('../runtime/web-vitals.ts').then(({ measureWebVitals }) => measureWebVitals(), console.error),
    );
  if (rules.serviceWorker) void startServiceWorker();
  await layOutRest();
}
