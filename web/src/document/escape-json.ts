/**
 * Returns JSON that is safe in a script element: it cannot end the element or open a comment. U+2028 and U+2029 are escaped
 * too, because they end a string in old JavaScript.
 */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
