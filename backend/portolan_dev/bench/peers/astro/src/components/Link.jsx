// plain anchor; the Next.js and Gatsby peers overwrite this file with their own Link
export default function Link(p) {
  return <a {...p} />;
}
