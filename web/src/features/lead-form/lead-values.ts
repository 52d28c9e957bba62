/** A visitor's values in a form, and the place of each field of the definition in them. */
import type { FormField, FormStep } from '../../contract/types.ts';
import type { TeamRow } from '../../domain/estimate.ts';
import { trimText } from '../../domain/invisible.ts';

/** Texts as typed: they are never refused or changed during typing. */
export interface LeadValues {
  contact: { name: string; email: string; company: string; phone: string };
  /** ISO 3166-1 alpha-2, lower case: whose prefix stands before the phone. */
  phoneCountry: string;
  services: string[];
  team: TeamRow[];
  months: string;
  start: string;
  message: string;
  privacyAccepted: boolean;
  /** The honeypot. */
  website: string;
}

/** Empty values, also sent by a form without scripts. The team is then empty. */
export const EMPTY_ROW: TeamRow = { role: '', seniority: '', count: '' };

export const EMPTY: LeadValues = {
  contact: { name: '', email: '', company: '', phone: '' },
  phoneCountry: '',
  services: [],
  team: [EMPTY_ROW],
  months: '',
  start: '',
  message: '',
  privacyAccepted: false,
  website: '',
};

/** Names of values that are checked before the next step, in the order in which they stand on the page. */
export type CheckedName =
  | 'contact.name'
  | 'contact.email'
  | 'contact.company'
  | 'contact.phone'
  | 'services'
  | 'team'
  | 'months'
  | 'start'
  | 'message'
  | 'privacyAccepted';

const NAMES: { [Field in FormField]: CheckedName | null } = {
  name: 'contact.name',
  email: 'contact.email',
  company: 'contact.company',
  phone: 'contact.phone',
  services: 'services',
  team: 'team',
  months: 'months',
  start: 'start',
  message: 'message',
  attachments: null, // files have no value here and report their own problems
};

export function checkedNames(step: FormStep, isLast: boolean): CheckedName[] {
  const names = step.fields.flatMap((field) => NAMES[field] ?? []);
  return isLast ? [...names, 'privacyAccepted'] : names;
}

const LOOKS_LIKE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function looksLikeAddress(address: string): boolean {
  return LOOKS_LIKE_ADDRESS.test(trimText(address));
}

/** As the field is called in the HTML, where a form without scripts sends it: `contact.name` is `contact[name]`. */
export function htmlName(name: string): string {
  return name.replace(/\.(\w+)/g, '[$1]');
}

/** Returns the id of a field; `-error` and `-hint` are appended for its messages. */
export function fieldId(formId: string, name: string): string {
  return `${formId}-${name.replaceAll('.', '-')}`;
}

/** Whether nothing was entered. The phone's country does not count, because it is preset. */
export function isEmpty(values: LeadValues): boolean {
  return JSON.stringify(readValues({ ...values, phoneCountry: '' })) === JSON.stringify(readValues(EMPTY));
}

/** Whether the sender can be answered and has agreed: then the form may be sent even when it is left. */
export function maySendPartial({ contact, privacyAccepted }: LeadValues): boolean {
  return privacyAccepted && trimText(contact.name) !== '' && looksLikeAddress(contact.email);
}

/** The values that still fit, of a draft that an older version of the form has written. */
export function readValues(stored: unknown): LeadValues {
  const given: Partial<LeadValues> = typeof stored === 'object' && stored !== null ? stored : {};
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
  const contact: Partial<LeadValues['contact']> = given.contact ?? {};
  const team = Array.isArray(given.team) ? given.team : [EMPTY_ROW];
  return {
    contact: {
      name: text(contact.name, ''),
      email: text(contact.email, ''),
      company: text(contact.company, ''),
      phone: text(contact.phone, ''),
    },
    phoneCountry: text(given.phoneCountry, ''),
    services: Array.isArray(given.services) ? given.services.filter((value) => typeof value === 'string') : [],
    team: team.map((row) => readRow(row)),
    months: text(given.months, ''),
    start: text(given.start, ''),
    message: text(given.message, ''),
    privacyAccepted: given.privacyAccepted === true,
    website: '',
  };

  function readRow(row: Partial<TeamRow> | null): TeamRow {
    return {
      role: text(row?.role, EMPTY_ROW.role),
      seniority: text(row?.seniority, EMPTY_ROW.seniority),
      count: text(row?.count, EMPTY_ROW.count),
    };
  }
}
