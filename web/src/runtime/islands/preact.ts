/** React as islands have it where the company has chosen Preact: its React-compatible layer, with a `useId` that fits. */
import compat, { useLayoutEffect, useState } from 'preact/compat';

// @ts-expect-error: its types are those of a CommonJS module
export * from 'preact/compat';
// biome-ignore lint/style/noDefaultExport: React has one, and react-hook-form imports it
export default { ...compat, useId };

let ids = 0;

/**
 * An id that no other element of the document has. At hydration Preact leaves attributes alone, so the page's ids would stay,
 * which are React's. The id changes once after that, so that Preact writes its own everywhere.
 */
export function useId(): string {
  const [number] = useState(() => ++ids);
  const [isThere, setThere] = useState(false);
  useLayoutEffect(() => setThere(true), []);
  return isThere ? `_p${number}_` : `_p${number}h_`;
}
