/**
 * JSON that cannot end the script element it stands in, nor open a comment there. The two separators of lines end a string
 * for who reads the element as a script.
 */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
