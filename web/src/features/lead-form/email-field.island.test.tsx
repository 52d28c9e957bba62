import '../../testing/dom.ts';
import { createRoot, type Root } from 'react-dom/client';
import { FormProvider, useForm } from 'react-hook-form';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { validateEmail } from '../../lib/api-client.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { act } from '../../testing/translator.ts';
import { EmailField } from './email-field.tsx';
import { buildLabels } from './lead-form-props.ts';
import { EMPTY, type LeadValues } from './lead-values.ts';

vi.mock(import('../../lib/api-client.ts'), async (original) => ({ ...(await original()), validateEmail: vi.fn() }));

const check = vi.mocked(validateEmail);
let root: Root;

function Form({ lang }: { lang: string }) {
  const form = useForm<LeadValues>({ defaultValues: EMPTY });
  return (
    <FormProvider {...form}>
      <EmailField formId="f" control={form.control} labels={buildLabels(createTranslate(lang))} />
    </FormProvider>
  );
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  check.mockReset();
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root') as HTMLElement);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

const field = () => document.querySelector('input') as HTMLInputElement;
const button = () => document.querySelector('button');

/** Writes as a person does, and leaves the field. */
async function write(address: string): Promise<void> {
  await act(async () => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    field().focus();
    set?.call(field(), address);
    field().dispatchEvent(new Event('input', { bubbles: true }));
  });
  await act(async () => field().blur());
}

it.each([
  ['en', 'Did you mean joe@gmail.com?'],
  ['de-DE', 'Meinten Sie joe@gmail.com?'],
  ['ar-AE', 'هل تقصدون joe@gmail.com؟'],
  ['az-AZ', 'joe@gmail.com demək istəyirdiniz?'],
  ['fr-FR', 'Vouliez-vous dire joe@gmail.com ?'],
  ['pl-PL', 'Czy chodziło o joe@gmail.com?'],
  ['ru-KZ', 'Вы имели в виду joe@gmail.com?'],
])('offers what was meant where a comma stands for a dot: %s', async (lang, offer) => {
  check.mockImplementation(async (address) =>
    address === 'joe@gmail,com'
      ? { valid: false, reason: 'syntax', suggestion: 'joe@gmail.com' }
      : { valid: true, reason: 'ok', suggestion: null },
  );
  await act(async () => root.render(<Form lang={lang} />));
  await write('joe@gmail,com');
  expect(button()?.textContent?.replace(/\s/g, ' ')).toBe(offer);
  expect(field().getAttribute('aria-invalid')).toBe('true');
  await act(async () => button()?.click());
  expect(field().value).toBe('joe@gmail.com');
  expect(field().getAttribute('aria-invalid')).toBeNull();
  expect(button()).toBeNull();
  await vi.waitFor(() => expect(document.activeElement).toBe(field()));
});

it.each(['joe', 'joe@', '@gmail.com', '  '])('asks nobody what is meant by %j', async (address) => {
  await act(async () => root.render(<Form lang="en" />));
  await write(address);
  expect(check).not.toHaveBeenCalled();
});
