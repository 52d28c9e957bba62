/**
 * How quick the page was for its visitor, for the tag manager. Fetched only where the site asks for it and the visitor allows it.
 *
 * Never before they do: the first click or key ends the measuring of the largest paint, and it is told then or never. On a site
 * that asks for consent first, that click is the one on the banner, which is answered a moment later: there would be no leave yet.
 * What was before is not lost, for the browser has kept it.
 */
import { type Metric, onCLS, onINP, onLCP } from 'web-vitals';
import { pushTagEvent } from '../lib/tags.ts';

export function measureWebVitals(): void {
  for (const measure of [onLCP, onCLS, onINP]) measure(tell);
}

function tell({ name, value, id }: Metric): void {
  pushTagEvent({ event: 'web-vitals', name, value, id });
}
