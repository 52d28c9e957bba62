/** The address of the page that a form was rendered on, from the field beside it; empty where the page has none. */
export function readPageUrl(form: string): string {
  const field = document.querySelector(`input[name="pageUrl"][form="${CSS.escape(form)}"]`);
  return field instanceof HTMLInputElement ? field.value : '';
}
