import type { Picture as PictureData, PictureVariant } from '../../contract/types.ts';
import { focusOf, MOBILE_BELOW, TABLET_BELOW } from './media.ts';

interface PictureProps {
  picture: PictureData;
  className?: string | undefined;
  /** The largest element of the first view: fetched at once. */
  eager?: boolean;
}

/** Three crops, each as AVIF and WebP in two densities; or one vector drawing. */
export function Picture({ picture, className, eager = false }: PictureProps) {
  const { mobile, tablet, desktop, vector } = picture;
  const largest = desktop ?? tablet ?? mobile;
  const image = (
    <img
      className={className}
      src={vector ?? largest?.webp}
      alt={picture.alt}
      data-focus={focusOf(picture.focus)}
      width={picture.width}
      height={picture.height}
      {...(eager ? ({ fetchPriority: 'high' } as const) : ({ loading: 'lazy', decoding: 'async' } as const))}
    />
  );
  if (vector || !largest) return image;
  return (
    <picture>
      <Sources variant={mobile} media={MOBILE_BELOW} />
      <Sources variant={tablet} media={TABLET_BELOW} />
      <Sources variant={desktop} />
      {image}
    </picture>
  );
}

function Sources({ variant, media }: { variant: PictureVariant | null; media?: string }) {
  if (!variant) return null;
  const size = { width: variant.width, height: variant.height };
  return (
    <>
      <source type="image/avif" media={media} srcSet={`${variant.avif}, ${variant.avif2X} 2x`} {...size} />
      <source type="image/webp" media={media} srcSet={`${variant.webp}, ${variant.webp2X} 2x`} {...size} />
    </>
  );
}
