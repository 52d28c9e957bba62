/** How quick the page was for its visitor, for the tag manager. Fetched only where the site asks for it. */
import { type Metric, onCLS, onINP, onLCP } from 'web-vitals';
import { pushTagEvent } from '../lib/tags.ts';

export function measureWebVitals(): void {
  for (const measure of [onLCP, onCLS, onINP]) measure(tell);
}

function tell({ name, value, id }: Metric): void {
  pushTagEvent({ event: 'web-vitals', name, value, id });
}
