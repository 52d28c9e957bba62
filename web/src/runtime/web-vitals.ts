/**
 * Measures the page's speed for the tag manager. Fetched only if the site requests it and the visitor allows it.
 *
 * Never before consent. The first click or key ends the measurement of the largest paint, which is reported at that moment only. On a site
 * with a banner, that click is the one on the banner, and consent follows a moment later. Earlier entries are available afterwards,
 * because the browser buffers them.
 */
import { type Metric, onCLS, onINP, onLCP } from 'web-vitals';
import { pushTagEvent } from '../lib/tags.ts';

export function measureWebVitals(): void {
  for (const measure of [onLCP, onCLS, onINP]) measure(tell);
}

function tell({ name, value, id }: Metric): void {
  pushTagEvent({ event: 'web-vitals', name, value, id });
}
