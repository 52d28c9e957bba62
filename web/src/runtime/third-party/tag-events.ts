/** Tells tags of each change of page (spec §7 Other). */
import { TAG_EVENT_DELAY_MS } from '../../constants.ts';
import { watchRoute } from '../../lib/route-change.ts';
import { pushTagEvent } from '../../lib/tags.ts';

export function startTagEvents(): void {
  watchRoute(({ path, title }) => {
    setTimeout(pushTagEvent, TAG_EVENT_DELAY_MS, { event: 'route-change', path, title });
  });
}
