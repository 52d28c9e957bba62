/** Fills in a text's `{name}`s; a name without a value stays. Small, because islands use it too. */
export function fill(text: string, values: Record<string, string | number> | undefined): string {
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
