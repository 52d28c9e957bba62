/** Short names in one line, with dots between them; empty ones are left out. A dot stays with the name before it. */
export function joinNames(...names: string[]): string {
  return names.filter((name) => name !== '').join('\u00a0· ');
}
