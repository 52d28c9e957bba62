/** A text with its `{name}`s filled in; one that has no value stays, rather than nothing. Small: islands use it too. */
export function fill(text: string, values: Record<string, string | number> | undefined): string {
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
