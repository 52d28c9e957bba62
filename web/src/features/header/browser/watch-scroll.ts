import { HEADER_FIXED_AFTER_PX } from '../../../constants.ts';

/** The header is fixed from some way down (spec §4). */
export async function watchScroll(header: HTMLElement): Promise<void> {
  const update = () => header.toggleAttribute('data-fixed', scrollY > HEADER_FIXED_AFTER_PX);
  addEventListener('scroll', update, { passive: true });
  update();
}
