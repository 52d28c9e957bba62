/** Nested values as the fields of a multipart form: `contact[name]`, `services[0]`. Null values are left out. Spec §7 POST. */

export type MultipartValue =
  | string
  | number
  | boolean
  | Blob
  | null
  | undefined
  | readonly MultipartValue[]
  | { readonly [name: string]: MultipartValue };

export type MultipartFields = Readonly<Record<string, MultipartValue>>;

export function encodeMultipart(fields: MultipartFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) append(form, name, value);
  return form;
}

function append(form: FormData, name: string, value: MultipartValue): void {
  if (value === null || value === undefined) return;
  if (value instanceof Blob) form.append(name, value);
  else if (typeof value === 'object') {
    // An array's keys are its indices.
    for (const [key, inner] of Object.entries(value)) append(form, `${name}[${key}]`, inner);
  } else form.append(name, String(value));
}
