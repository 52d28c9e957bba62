export default function Picture({ img, eager, className, sizes = '(max-width: 960px) 100vw, 33vw' }) {
  return (
    <img
      className={className}
      src={img.base + '-m.webp'}
      srcSet={`${img.base}-s.webp 400w, ${img.base}-m.webp 800w, ${img.base}-l.webp 1600w`}
      sizes={sizes}
      width="800"
      height="450"
      alt={img.alt}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      decoding="async"
    />
  );
}
