/** Prefix of the ids React makes inside an island: the worker and the browser have to say the same. */
export function islandPrefix(id: string): string {
  return `${id}-`;
}
