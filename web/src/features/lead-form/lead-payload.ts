/** The data of a sent form: fields of `POST integration/form-data` (docs/api.md). Pure. */
import type { FormDefinition, FormField } from '../../contract/types.ts';
import { MOST_MONTHS, MOST_PEOPLE, type PriceRange, readCount, type TeamRow } from '../../domain/estimate.ts';
import { trimText } from '../../domain/invisible.ts';
import { putTogether } from '../../domain/phone-number.ts';
import type { AdClick } from '../../domain/tracking.ts';
import type { MultipartFields } from '../../lib/multipart.ts';
import type { LeadValues } from './lead-values.ts';

/** The browser's data in addition to the visitor's. */
export interface LeadContext {
  pageUrl: string;
  firstVisitUrl: string | null;
  sessionEntryUrl: string | null;
  adClick: AdClick | null;
  country: string | null;
  secondsOpen: number;
  captchaToken: string;
}

/** Empty fields are null, and null is not sent. */
export function buildPayload(
  { form, steps }: FormDefinition,
  step: number,
  values: LeadValues,
  files: readonly File[],
  price: PriceRange | null,
  context: LeadContext,
): MultipartFields {
  const asked = new Set<FormField>(steps.flatMap(({ fields }) => fields));
  const { name, email, company, phone } = values.contact;
  const number = { country: values.phoneCountry, rest: phone };
  return {
    form,
    contact: {
      name: given(name),
      email: given(email),
      company: asked.has('company') ? given(company) : null,
      phone: asked.has('phone') ? given(putTogether(number)) : null,
    },
    message: asked.has('message') ? given(values.message) : null,
    services: asked.has('services') ? values.services : null,
    team: asked.has('team') ? values.team.filter(isBegun).map(readRow) : null,
    months: asked.has('months') ? readCount(values.months, MOST_MONTHS) : null,
    start: asked.has('start') ? given(values.start) : null,
    step: step + 1,
    price: price && { from: price.from, to: price.to, currency: price.currency, unit: price.unit },
    attachments: asked.has('attachments') ? files : null,
    privacyAccepted: values.privacyAccepted,
    website: given(values.website),
    ...context,
    adClick: context.adClick && { ...context.adClick },
    secondsOpen: Math.round(context.secondsOpen * 10) / 10,
  };
}

function isBegun(row: TeamRow): boolean {
  return Object.values(row).some((text: string) => given(text) !== null);
}

/** Rows as far as they are filled. A missing value is reported before the next step, so no row is dropped here. */
function readRow({ role, seniority, count }: TeamRow) {
  return { role: given(role), seniority: given(seniority), count: readCount(count, MOST_PEOPLE) };
}

function given(text: string): string | null {
  const trimmed = trimText(text);
  return trimmed === '' ? null : trimmed;
}
