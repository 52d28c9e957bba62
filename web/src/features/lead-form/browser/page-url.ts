/** Returns the URL of the page that a form was rendered on, from the field next to it; empty without that field. */
export function readPageUrl(form: string): string {
  const field = document.querySelector(`input[name="pageUrl"][form="${CSS.escape(form)}"]`);
  return field instanceof HTMLInputElement ? field.value : '';
}
