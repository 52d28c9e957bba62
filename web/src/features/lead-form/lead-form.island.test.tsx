import '../../testing/dom.ts';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import { ApiError } from '../../lib/api-call.ts';
import { validateEmail } from '../../lib/api-client.ts';
import { keepLead, watchKeptLeads } from '../../lib/lead-queue.ts';
import { submitForm } from '../../lib/submit-form.ts';
import { createTranslate } from '../../locales/catalog.ts';
import { ownListeners } from '../../testing/own-listeners.ts';
import { act } from '../../testing/translator.ts';
import { startCaptcha } from './browser/captcha.ts';
import { LeadForm } from './lead-form.island.tsx';
import { buildLeadFormProps } from './lead-form-props.ts';

vi.mock(import('../../lib/api-client.ts'), async (original) => ({
  ...(await original()),
  validateEmail: vi.fn(),
}));
vi.mock(import('../../lib/submit-form.ts'), () => ({ submitForm: vi.fn() }));
vi.mock(import('./browser/captcha.ts'), async (original) => ({ ...(await original()), startCaptcha: vi.fn() }));
// A few countries in place of 249: each draw of the form draws them all.
vi.mock(import('../../domain/phone-number.ts'), async (original) => ({
  ...(await original()),
  listPrefixes: () => [
    ['ae', '971'],
    ['de', '49'],
    ['gb', '44'],
  ],
}));
vi.mock(import('../../lib/lead-queue.ts'), async (original) => ({
  ...(await original()),
  keepLead: vi.fn(),
  watchKeptLeads: vi.fn(),
}));

type Name = 'contact' | 'estimate';

const submit = vi.mocked(submitForm);
const keep = vi.mocked(keepLead);
const captcha = { begin: vi.fn<() => void>(), takeToken: vi.fn(async () => 'a token') };
const PAGE = 'https://brightmoor.example/contact-us';
let root: Root | undefined;

function propsOf(name: Name) {
  const example = { contact: 'contact_form.default', estimate: 'estimate.default' }[name];
  const block = blockExamples().find((each) => each.name === example)?.block;
  if (block?.type !== 'contact_form' && block?.type !== 'estimate') throw new Error(`the contract has no ${example}`);
  return buildLeadFormProps(block, {
    prefix: '',
    lang: 'en',
    dateLocale: 'en',
    captcha: { provider: 'none', siteKey: null },
    t: createTranslate('en'),
  });
}

ownListeners(window);
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  Element.prototype.scrollIntoView = () => {};
  sessionStorage.clear();
  document.documentElement.dataset['country'] = 'gb';
  vi.spyOn(console, 'error').mockImplementation(() => {});
  submit.mockReset().mockResolvedValue({ id: '1', status: 'received' });
  keep.mockReset();
  captcha.begin.mockClear();
  vi.mocked(startCaptcha).mockReset().mockReturnValue(captcha);
  vi.mocked(watchKeptLeads)
    .mockReset()
    .mockReturnValue(() => {});
  vi.mocked(validateEmail).mockReset().mockResolvedValue({ valid: true, reason: 'ok', suggestion: null });
});
afterEach(async () => {
  await close();
  vi.unstubAllGlobals();
});

async function open(name: Name): Promise<void> {
  document.body.innerHTML = `<div id="root"></div><input type="hidden" name="pageUrl" form="form" value="${PAGE}" />`;
  root = createRoot(document.getElementById('root') as HTMLElement);
  await act(async () => root?.render(<LeadForm {...propsOf(name)} />));
}

async function close(): Promise<void> {
  await act(async () => root?.unmount());
  root = undefined;
}

function find<T extends HTMLElement = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`there is no ${selector}`);
  return found;
}

const field = (name: string) => find<HTMLInputElement>(`[name="${name}"]`);
const isWrong = (name: string) => field(name).getAttribute('aria-invalid') === 'true';
const problems = () => [...document.querySelectorAll<HTMLElement>('[data-summary]:not([hidden]) a')];
const step = () => find('[data-step]:not([data-later])').dataset['step'];
/** Name and options of each try to send. */
const sent = () => submit.mock.calls.map(([fields, options]) => ({ fields, ...options }));

/** Writes or chooses as a person does, and leaves the field. */
async function write(name: string, value: string): Promise<void> {
  const element = field(name);
  const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set;
  await act(async () => {
    element.focus();
    set?.call(element, value);
    element.dispatchEvent(new Event(element.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
  });
  await act(async () => element.blur());
}

async function press(selector: string): Promise<void> {
  await act(async () => find(selector).click());
}

/** The form brings the focus along a moment later. */
async function followProblem(index: number): Promise<void> {
  await act(async () => {
    problems()[index]?.click();
    await new Promise((resolve) => setTimeout(resolve));
  });
}

const goOn = () => press('button[type=submit]');

async function toLastStep(name: Name): Promise<void> {
  if (name === 'contact') return;
  await press('[value=web-development]');
  for (const key of ['team', 'schedule', 'contact']) {
    await goOn();
    expect(step()).toBe(key);
  }
}

async function fill(name: Name): Promise<void> {
  await toLastStep(name);
  await write('contact[name]', 'Head of Operations');
  await write('contact[email]', 'ops@northwind.example');
  await write('message', 'We move containers.');
  await press('[name=privacyAccepted]');
}

describe.each(['contact', 'estimate'] as const)('the form %s', (name) => {
  it('is sent, says thanks, and forgets its draft', async () => {
    await open(name);
    await fill(name);
    expect(sessionStorage.getItem(`formDraft:${name}`)).toContain('We move containers.');
    await goOn();
    expect(document.activeElement).toBe(find('[data-thanks][data-shown]'));
    expect(find('form').hidden).toBe(true);
    expect(sessionStorage.getItem(`formDraft:${name}`)).toBeNull();
    expect(sent()).toMatchObject([
      {
        fields: {
          form: name,
          pageUrl: PAGE,
          message: 'We move containers.',
          privacyAccepted: true,
          captchaToken: 'a token',
        },
      },
    ]);
  });

  it('says what is wrong, leads to it, and takes it back once it is right', async () => {
    await open(name);
    await toLastStep(name);
    await goOn();
    expect(document.activeElement).toBe(find('[data-summary]'));
    const names = ['contact[name]', 'contact[email]', ...(name === 'contact' ? ['message'] : []), 'privacyAccepted'];
    expect(names.map(isWrong)).not.toContain(false);
    expect(problems()).toHaveLength(names.length);
    for (const [index, wrong] of names.entries()) {
      await followProblem(index);
      expect(document.activeElement).toBe(field(wrong));
      const said = field(wrong).getAttribute('aria-describedby')?.split(' ').at(-1);
      expect(document.getElementById(said ?? '')?.textContent).toBe(problems()[index]?.textContent);
    }
    await write('contact[name]', '\u200b\u3164');
    expect(isWrong('contact[name]')).toBe(true);
    await write('contact[name]', '\u200bAda');
    expect(isWrong('contact[name]')).toBe(false);
    await write('contact[email]', 'operations');
    expect(isWrong('contact[email]')).toBe(true);
    await write('contact[email]', 'ops@northwind.example');
    expect(isWrong('contact[email]')).toBe(false);
    expect(submit).not.toHaveBeenCalled();
  });

  it('stands there again after a reload, at its step and under its key', async () => {
    await open(name);
    await fill(name);
    submit.mockRejectedValueOnce(new ApiError(500, 'harbour closed'));
    await goOn();
    await close();
    await open(name);
    expect([field('contact[name]').value, field('message').value]).toEqual([
      'Head of Operations',
      'We move containers.',
    ]);
    expect(step()).toBe('contact');
    await goOn();
    const keys = sent().map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(1);
  });

  it('keeps what was typed where the server fails, and goes under the same key', async () => {
    await open(name);
    await fill(name);
    submit.mockRejectedValueOnce(new ApiError(500, 'harbour closed'));
    await goOn();
    expect(document.activeElement).toBe(find('[data-summary]'));
    expect([problems(), field('message').value]).toEqual([[], 'We move containers.']);
    await goOn();
    expect(find('[data-thanks]').hasAttribute('data-shown')).toBe(true);
    const keys = sent().map(({ idempotencyKey }) => idempotencyKey);
    expect([keys.length, new Set(keys).size, keys[0]?.length]).toEqual([2, 1, 32]);
  });

  it('goes once with a double click', async () => {
    await open(name);
    await fill(name);
    await act(async () => {
      find('button[type=submit]').click();
      find('button[type=submit]').click();
    });
    expect(submit).toHaveBeenCalledTimes(1);
  });

  it('is kept while there is no network, until it was sent', async () => {
    await open(name);
    await fill(name);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    submit.mockRejectedValueOnce(new TypeError('no network'));
    await goOn();
    expect(document.activeElement).toBe(find('[data-kept]'));
    expect(sessionStorage.getItem(`formDraft:${name}`)).toBeNull();
    const { key = '', fields } = keep.mock.calls[0]?.[0] ?? {};
    expect([key, fields?.['message']]).toEqual([sent()[0]?.idempotencyKey, 'We move containers.']);
    const [tell] = vi.mocked(watchKeptLeads).mock.calls.at(-1) ?? [];
    await act(async () => tell?.({ key: 'of another form', isTaken: true }));
    expect(document.querySelector('[data-thanks][data-shown]')).toBeNull();
    await act(async () => tell?.({ key, isTaken: true }));
    expect(document.activeElement).toBe(find('[data-thanks][data-shown]'));
  });

  it('is not lost where the browser keeps nothing', async () => {
    await open(name);
    await fill(name);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    submit.mockRejectedValueOnce(new TypeError('no network'));
    keep.mockRejectedValueOnce(new DOMException('blocked', 'SecurityError'));
    await goOn();
    expect([document.activeElement, field('message').value]).toEqual([find('[data-summary]'), 'We move containers.']);
  });
});

describe('what the server does not take', () => {
  it('is said at its field', async () => {
    await open('contact');
    await fill('contact');
    const errors = [{ field: 'contact[email]', message: 'is no e-mail address' }];
    submit.mockRejectedValueOnce(new ApiError(422, JSON.stringify({ code: 'invalid-value', errors })));
    await goOn();
    expect([isWrong('contact[email]'), isWrong('contact[name]'), problems().length]).toEqual([true, false, 1]);
    expect(document.activeElement).toBe(find('[data-summary]'));
  });

  it.each([409, 429])('for now (%i) is said of the form, not of a field', async (status) => {
    await open('contact');
    await fill('contact');
    submit.mockRejectedValueOnce(new ApiError(status, JSON.stringify({ errors: [{ field: 'message' }] })));
    await goOn();
    expect([problems(), isWrong('message')]).toEqual([[], false]);
  });
});

describe('a form that is left', () => {
  const partial = () => sent().filter(({ isLeaving }) => isLeaving);

  it.each([
    ['with its page', async () => void dispatchEvent(new Event('pagehide'))],
    ['for another page in its place', close],
  ])('%s is sent as a partial submission, with the step it had reached', async (_, leave) => {
    await open('estimate');
    await fill('estimate');
    for (let back = 0; back < 2; back += 1) await press('button[type=button][class*=quiet]');
    expect(step()).toBe('team');
    await leave();
    const fields = { begun: true, step: 2, message: 'We move containers.', captchaToken: 'no-token' };
    expect(partial()).toMatchObject([{ fields }]);
  });

  it('without leave is sent nowhere', async () => {
    await open('contact');
    await fill('contact');
    await press('[name=privacyAccepted]');
    dispatchEvent(new Event('pagehide'));
    await close();
    expect(submit).not.toHaveBeenCalled();
  });

  it('while it is kept is not sent as a partial submission', async () => {
    await open('contact');
    await fill('contact');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    submit.mockRejectedValueOnce(new TypeError('no network'));
    await goOn();
    dispatchEvent(new Event('pagehide'));
    await close();
    expect(partial()).toEqual([]);
  });

  it('after it was sent is not sent again', async () => {
    await open('contact');
    await fill('contact');
    await goOn();
    dispatchEvent(new Event('pagehide'));
    await close();
    expect(submit).toHaveBeenCalledTimes(1);
  });
});

describe('the team', () => {
  const roles = () => document.querySelectorAll('select[name^=team][name$="[role]"]').length;

  it('is proposed from the services, and stays once somebody has changed it', async () => {
    await open('estimate');
    await press('[value=web-development]');
    await goOn();
    expect([roles(), field('team[0][count]').value]).toEqual([2, '2']);
    await press('button[class*=remove]');
    await press('button[class*=quiet]');
    await press('[value=mobile-development]');
    await goOn();
    expect([roles(), field('team[0][role]').value]).toEqual([1, 'qa']);
  });

  it('says of a row without a role that it lacks one, and drops nothing of it', async () => {
    await open('estimate');
    await press('[value=mobile-development]');
    await goOn();
    await write('team[0][count]', '3');
    await goOn();
    expect([step(), problems().length, isWrong('team[0][role]')]).toEqual(['team', 1, true]);
    await followProblem(0);
    expect(document.activeElement).toBe(field('team[0][role]'));
    await write('team[0][role]', 'back-end');
    expect([isWrong('team[0][role]'), field('team[0][count]').value]).toEqual([false, '3']);
    expect(field('team[0][seniority]').value).toBe('middle');
    await goOn();
    expect(step()).toBe('schedule');
  });

  it.each([
    ['x', true],
    ['0', true],
    ['12', false],
    ['١٢', false],
    ['\u200f۱۲\u200e', false],
    ['3–5', true],
  ])('of %s people is wrong: %s', async (count, wrong) => {
    await open('estimate');
    await press('[value=web-development]');
    await goOn();
    await write('team[0][count]', count);
    await goOn();
    expect(step()).toBe(wrong ? 'team' : 'schedule');
  });
});

it('the price follows each answer, and narrows', async () => {
  await open('estimate');
  const price = () => find('[data-price]').textContent ?? '';
  const range = () => (price().match(/[\d,]+/g) ?? []).map((number) => Number(number.replaceAll(',', '')));
  const notes = () => document.querySelectorAll('[data-price-notes] li').length;
  const seen = [price()];
  const open4 = notes();
  await press('[value=web-development]');
  seen.push(price());
  await goOn();
  await write('team[0][count]', '4');
  seen.push(price());
  await goOn();
  await write('months', '6');
  seen.push(price());
  await press('[name=start][value=quarter]');
  seen.push(price());
  expect(new Set(seen).size).toBe(seen.length);
  expect([open4, notes()]).toEqual([4, 0]);
  await goOn();
  await write('contact[name]', 'A');
  await write('contact[email]', 'a@b.example');
  await press('[name=privacyAccepted]');
  const [low, high] = range();
  await goOn();
  expect(sent()[0]?.fields['price']).toMatchObject({ from: low, to: high, unit: 'total' });
});

it('the phone has the prefix of the visitor and takes another', async () => {
  await open('contact');
  await fill('contact');
  const country = find<HTMLSelectElement>('select:not([name])');
  expect([country.value, country.options[1]?.value]).toEqual(['gb', 'gb']);
  await write('contact[phone]', '+49 30 901820');
  expect([country.value, field('contact[phone]').value]).toEqual(['de', '30 901820']);
  await goOn();
  expect(sent()[0]?.fields['contact']).toMatchObject({ phone: '+49 30 901820' });
});

describe('an optional phone number', () => {
  const said = () =>
    find('[name="contact[phone]"]').closest('[class*=field]')?.querySelector('[role=status]')?.textContent;

  it.each([
    ['call me after six', 'call me after six', true],
    ['12', '12', true],
    ['٠٢٠ ٧٩٤٦ ٠٧٠٠', '+44 020 7946 0700', false],
    ['\u202a020 7946 0700\u202c', '+44 020 7946 0700', false],
    ['020–7946–0700 ext. 7', '+44 020-7946-0700 ext. 7', false],
  ])('%j is sent as %j, with a warning: %j', async (typed, number, isOdd) => {
    await open('contact');
    await fill('contact');
    await write('contact[phone]', typed);
    expect(said() !== '').toBe(isOdd);
    await goOn();
    expect(sent()[0]?.fields['contact']).toMatchObject({ phone: number });
  });

  it('that is made right has no warning any more', async () => {
    await open('contact');
    await write('contact[phone]', 'call me');
    expect(said()).not.toBe('');
    await write('contact[phone]', '020 7946 0700');
    expect(said()).toBe('');
  });
});

it('a phone number that the form requires stops it', async () => {
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(find('#root'));
  const props = propsOf('contact');
  const definition = { ...props.definition, required: [...props.definition.required, 'phone' as const] };
  await act(async () => root?.render(<LeadForm {...props} definition={definition} />));
  await fill('contact');
  for (const [typed, wrong] of [
    ['', true],
    ['call me', true],
    ['٠٢٠ ٧٩٤٦ ٠٧٠٠', false],
  ] as const) {
    await write('contact[phone]', typed);
    await goOn();
    expect(isWrong('contact[phone]')).toBe(wrong);
  }
  expect(submit).toHaveBeenCalledTimes(1);
});

it('files are listed, refused, removed and sent', async () => {
  await open('contact');
  await fill('contact');
  const add = (...names: string[]) => {
    const input = field('attachments');
    Object.defineProperty(input, 'files', { value: names.map((name) => new File([name], name)), configurable: true });
    return act(async () => input.dispatchEvent(new Event('change', { bubbles: true })));
  };
  const listed = () => [...document.querySelectorAll('li bdi')].map(({ textContent }) => textContent);
  await add('plan.pdf');
  await add('sketch.pdf', 'tool.exe');
  expect(listed()).toEqual(['plan.pdf', 'sketch.pdf']);
  expect(find('[data-error-of=attachments]').textContent).toContain('tool.exe');
  await press('li button');
  expect([listed(), document.activeElement]).toEqual([['sketch.pdf'], field('attachments')]);
  await goOn();
  expect(sent()).toMatchObject([{ fields: { attachments: [{ name: 'sketch.pdf' }] } }]);
});

it('the captcha begins with the first focus, not before', async () => {
  await open('contact');
  expect(captcha.begin).not.toHaveBeenCalled();
  await act(async () => field('contact[name]').focus());
  expect(captcha.begin).toHaveBeenCalled();
});

it('the captcha has begun where the focus came before React', async () => {
  document.body.innerHTML = '<div id="root"></div><form data-form="contact"><input id="early"></form>';
  document.getElementById('early')?.focus();
  root = createRoot(find('#root'));
  await act(async () => root?.render(<LeadForm {...propsOf('contact')} />));
  expect(captcha.begin).toHaveBeenCalledTimes(1);
});

it('an address that cannot be checked stops nobody', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.mocked(validateEmail).mockRejectedValue(new TypeError('no network'));
  await open('contact');
  await fill('contact');
  await goOn();
  expect(submit).toHaveBeenCalledTimes(1);
});

it('one that takes no e-mail is said before the form goes', async () => {
  vi.mocked(validateEmail).mockResolvedValue({ valid: false, reason: 'domain-takes-no-mail', suggestion: null });
  await open('contact');
  await fill('contact');
  expect(isWrong('contact[email]')).toBe(true);
  await goOn();
  expect(submit).not.toHaveBeenCalled();
});
