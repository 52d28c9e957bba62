import type { Picture, PictureVariant } from '../../../contract/types.ts';
import { focusOf, MOBILE_BELOW, TABLET_BELOW } from '../media.ts';

/** Builds the same image as `picture.tsx` if it is not eager, for cards that are added to a page. */
export function buildPicture({ mobile, tablet, desktop, vector, ...picture }: Picture, className: string): HTMLElement {
  const largest = desktop ?? tablet ?? mobile;
  const { alt, width, height } = picture;
  const focus = focusOf(picture.focus);
  const src = vector ?? largest?.webp ?? '';
  // `loading` comes before `src`, because the browser starts to load with `src`.
  const image = build('img', { class: className, loading: 'lazy', decoding: 'async', src, alt, width, height });
  if (focus) image.dataset['focus'] = focus;
  if (vector || !largest) return image;
  const element = build('picture', {});
  element.append(...sources(mobile, MOBILE_BELOW), ...sources(tablet, TABLET_BELOW), ...sources(desktop), image);
  return element;
}

function sources(variant: PictureVariant | null, media?: string): HTMLElement[] {
  if (!variant) return [];
  const { avif, avif2X, webp, webp2X, width, height } = variant;
  const size = { ...(media && { media }), width, height };
  return [
    build('source', { type: 'image/avif', srcset: `${avif}, ${avif2X} 2x`, ...size }),
    build('source', { type: 'image/webp', srcset: `${webp}, ${webp2X} 2x`, ...size }),
  ];
}

function build(name: string, attributes: Record<string, string | number>): HTMLElement {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
}
