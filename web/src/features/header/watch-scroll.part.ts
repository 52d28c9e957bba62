import { HEADER_FIXED_AFTER_PX } from '../../constants.ts';
import type { Part } from '../../runtime/parts/parts.ts';

export const part: Part = { on: '[data-header]', when: 'load' };
export { watchScroll as run };

/** The header is fixed from some way down (spec §4). */
async function watchScroll(header: HTMLElement): Promise<void> {
  const update = () => header.toggleAttribute('data-fixed', scrollY > HEADER_FIXED_AFTER_PX);
  addEventListener('scroll', update, { passive: true });
  update();
}
