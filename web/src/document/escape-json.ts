/** JSON that cannot end the script element it stands in, nor open a comment there. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
