import { describe, expect, it } from 'vitest';
import { blockExamples } from '../../../scripts/examples.ts';
import type { FormDefinition } from '../../contract/types.ts';
import { encodeMultipart } from '../../lib/multipart.ts';
import { buildPayload, type LeadContext } from './lead-payload.ts';
import { checkedNames, EMPTY, htmlName, isEmpty, type LeadValues, maySendPartial } from './lead-values.ts';

function definitionOf(name: string): FormDefinition {
  const found = blockExamples().find((example) => example.name === name)?.block;
  if (found?.type !== 'contact_form' && found?.type !== 'estimate') throw new Error(`the contract has no form ${name}`);
  return found.definition;
}

const CONTEXT: LeadContext = {
  pageUrl: 'https://brightmoor.example/contact-us',
  firstVisitUrl: null,
  sessionEntryUrl: 'https://brightmoor.example/?gclid=1',
  adClick: { type: 'gclid', value: '1' },
  country: 'gb',
  secondsOpen: 12.345,
  captchaToken: 'no-token',
};

const FILLED: LeadValues = {
  ...EMPTY,
  contact: { name: ' Head of Operations ', email: 'ops@northwind.example', company: '', phone: '020 7946 0700' },
  phoneCountry: 'gb',
  services: ['web-development', 'other'],
  team: [
    { role: 'qa', seniority: 'middle', count: '2' },
    { role: '', seniority: '', count: '' },
  ],
  months: '6',
  start: 'now',
  message: 'One\nTwo',
  privacyAccepted: true,
};

function sent(name: string, values: LeadValues, price: Parameters<typeof buildPayload>[4] = null, files: File[] = []) {
  const definition = definitionOf(name);
  const payload = buildPayload(definition, definition.steps.length - 1, values, files, price, CONTEXT);
  return Object.fromEntries(encodeMultipart(payload));
}

describe('what is sent', () => {
  it('of the contact form are the fields it asks for, nothing empty, and where the visitor came from', () => {
    expect(sent('contact_form.default', FILLED)).toEqual({
      form: 'contact',
      'contact[name]': 'Head of Operations',
      'contact[email]': 'ops@northwind.example',
      'contact[phone]': '+44 020 7946 0700',
      message: 'One\nTwo',
      'services[0]': 'web-development',
      'services[1]': 'other',
      step: '1',
      pageUrl: CONTEXT.pageUrl,
      sessionEntryUrl: CONTEXT.sessionEntryUrl,
      'adClick[type]': 'gclid',
      'adClick[value]': '1',
      country: 'gb',
      secondsOpen: '12.3',
      captchaToken: 'no-token',
      privacyAccepted: 'true',
    });
  });

  it('of the estimate are its team without rows that nobody has filled, its step and the price that was shown', () => {
    const price = { from: 12000, to: 18000, currency: 'EUR', unit: 'total' } as const;
    expect(sent('estimate.default', FILLED, price)).toMatchObject({
      form: 'estimate',
      'team[0][role]': 'qa',
      'team[0][seniority]': 'middle',
      'team[0][count]': '2',
      months: '6',
      start: 'now',
      step: '4',
      'price[from]': '12000',
      'price[to]': '18000',
      'price[currency]': 'EUR',
    });
    expect(Object.keys(sent('estimate.default', FILLED, price)).filter((name) => name.startsWith('team[1]'))).toEqual(
      [],
    );
  });

  it('of a form that does not ask for it is nothing that was typed into another one', () => {
    const names = Object.keys(sent('contact_form.short', FILLED, null, [new File(['a'], 'a.txt')]));
    for (const name of ['contact[phone]', 'services[0]', 'months', 'attachments[0]']) expect(names).not.toContain(name);
  });

  it('are its files, one after the other', () => {
    const files = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')];
    expect(Object.keys(sent('contact_form.default', FILLED, null, files)).filter((name) => /^att/.test(name))).toEqual([
      'attachments[0]',
      'attachments[1]',
    ]);
  });

  it('is what filled the honeypot, so that it is seen', () => {
    expect(sent('contact_form.default', { ...FILLED, website: 'spam' })['website']).toBe('spam');
  });
});

describe('a step', () => {
  it('checks what it asks for, and the last one the leave to use it', () => {
    const { steps } = definitionOf('estimate.default');
    expect(steps.map((step, index) => checkedNames(step, index === steps.length - 1))).toEqual([
      ['services'],
      ['team'],
      ['months', 'start'],
      ['contact.name', 'contact.email', 'contact.company', 'contact.phone', 'message', 'privacyAccepted'],
    ]);
  });

  it.each([
    ['contact.name', 'contact[name]'],
    ['team.0.count', 'team[0][count]'],
    ['message', 'message'],
  ])('calls %s %s, as the API does', (name, html) => {
    expect(htmlName(name)).toBe(html);
  });
});

it('is empty until somebody enters something', () => {
  expect([isEmpty(EMPTY), isEmpty({ ...EMPTY, phoneCountry: 'de' })]).toEqual([true, true]);
  expect([isEmpty({ ...EMPTY, message: 'a' }), isEmpty({ ...EMPTY, services: ['other'] })]).toEqual([false, false]);
});

it('may be sent though it is left, once somebody has a name and an address and has agreed', () => {
  const partial = { ...EMPTY, contact: { ...EMPTY.contact, name: 'A', email: 'a@b.example' }, privacyAccepted: true };
  expect(maySendPartial(partial)).toBe(true);
  const without: Partial<LeadValues>[] = [
    { privacyAccepted: false },
    { contact: { ...partial.contact, email: 'a@b' } },
    { contact: { ...partial.contact, name: ' ' } },
  ];
  expect(without.map((missing) => maySendPartial({ ...partial, ...missing }))).toEqual([false, false, false]);
});
