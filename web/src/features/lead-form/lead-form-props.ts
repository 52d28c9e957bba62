/** The props of a form's island: its definition, translated texts, and how the site writes amounts. */

import type { BlockOf, CaptchaSettings, FormDefinition, RateCard } from '../../contract/types.ts';
import { buildMoneyPattern, type MoneyPattern } from '../../domain/money.ts';
import type { Translate } from '../../locales/catalog.ts';
import { megabytes } from './chosen-files.ts';
import { FILE_EXTENSIONS, LARGEST_FILE_BYTES, MOST_FILES } from './limits.ts';

/** The type as plain JSON, which an island's props may hold. */
type Plain<T> = T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;

/** Texts by purpose. Those with `{…}` are filled in later in the browser. */
export type LeadFormLabels = ReturnType<typeof buildLabels>;

export interface LeadFormProps {
  /** Prefix of all ids in it. */
  id: string;
  definition: Plain<FormDefinition>;
  /** Null if rates are missing on the site, or questions with a price in the form. */
  rates: { card: Plain<RateCard>; money: Plain<MoneyPattern>; percents: Record<number, string> } | null;
  labels: LeadFormLabels;
  lang: string;
  captcha: Plain<CaptchaSettings>;
}

interface Surroundings {
  prefix: string;
  lang: string;
  dateLocale: string;
  captcha: CaptchaSettings;
  t: Translate;
}

export function buildLeadFormProps(
  { definition, rateCards }: Pick<BlockOf<'contact_form' | 'estimate'>, 'definition' | 'rateCards'>,
  { prefix, lang, dateLocale, captcha, t }: Surroundings,
): LeadFormProps {
  const filled = rateCards.find(({ rates }) => rates.length > 0);
  const card = filled && { ...BARE_CARD, ...filled };
  // Roles come from the rate card, so a site without one has an empty choice.
  const steps = definition.steps.filter(({ fields }) => card || !fields.includes('team'));
  return {
    id: `${prefix}form`,
    definition: { ...definition, steps },
    rates: card
      ? { card, money: buildMoneyPattern(dateLocale, card.currency), percents: printPercents(card, dateLocale) }
      : null,
    labels: buildLabels(t),
    lang,
    captcha,
  };
}

/** Cards that were frozen before these fields existed lack them. */
const BARE_CARD: Pick<RateCard, 'services' | 'starts' | 'longTerm'> = {
  services: [],
  starts: { now: 0, quarter: 0, later: 0 },
  longTerm: null,
};

/** Formats a supplement with its sign in the locale: isolated, so that the sign stays before it in Arabic. */
function printPercents({ services, starts, longTerm }: RateCard, locale: string): Record<number, string> {
  const format = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero' });
  const all = [...services.map(({ supplement }) => supplement), ...Object.values(starts), -(longTerm?.discount ?? 0)];
  return Object.fromEntries(all.map((percent) => [percent, `\u2066${format.format(percent / 100)}\u2069`]));
}

export function buildLabels(t: Translate) {
  return {
    name: t('formName'),
    email: t('formEmail'),
    company: t('formCompany'),
    phone: t('formPhone'),
    phoneCountry: t('formPhoneCountry'),
    phoneHint: t('formPhoneHint'),
    phoneOdd: t('formPhoneOdd'),
    services: t('formServices'),
    message: t('formMessage'),
    messageHint: t('formMessageHint'),
    attachments: t('formAttachments'),
    attachmentsHint: t('formAttachmentsHint', {
      n: MOST_FILES,
      size: megabytes(LARGEST_FILE_BYTES),
      kinds: FILE_EXTENSIONS.filter((kind) => kind !== 'jpeg').join(', '),
    }),
    chooseFiles: t('formChooseFiles'),
    fileChosen: t('formFileChosen'),
    fileRemoved: t('formFileRemoved'),
    removeFile: t('formRemoveFile'),
    team: t('formTeam'),
    role: t('formRole'),
    seniority: t('formSeniority'),
    seniorities: {
      junior: t('seniorityJunior'),
      middle: t('seniorityMiddle'),
      senior: t('senioritySenior'),
      lead: t('seniorityLead'),
    },
    count: t('formCount'),
    addRole: t('formAddRole'),
    removeRole: t('formRemoveRole'),
    months: t('formMonths'),
    monthsHint: t('formMonthsHint'),
    start: t('formStart'),
    starts: {
      now: t('startNow'),
      quarter: t('startQuarter'),
      later: t('startLater'),
      open: t('startOpen'),
    },
    choose: t('formChoose'),
    optional: t('formOptional'),
    privacy: t('formPrivacy'),
    privacyPartial: t('formPrivacyPartial'),
    website: t('formWebsite'),
    next: t('formNext'),
    back: t('formBack'),
    step: t('formStep'),
    price: t('priceTitle'),
    priceNote: t('priceNote'),
    priceNone: t('priceNone'),
    supplement: t('priceSupplement'),
    fromMonths: t('priceFromMonths'),
    unpriced: t('priceUnpriced'),
    lacking: t('priceLacking'),
    usualTeam: t('priceUsualTeam'),
    open: {
      services: t('priceOpenServices'),
      team: t('priceOpenTeam'),
      months: t('priceOpenMonths'),
      start: t('priceOpenStart'),
    },
    teamProposed: t('formTeamProposed'),
    prices: { person: t('pricePerson'), month: t('priceMonth'), total: t('priceTotal') },
    problems: t('formProblems'),
    emailSuggestion: t('formEmailSuggestion'),
    sending: t('formSending'),
    refused: t('formRefused'),
    unreachable: t('formUnreachable'),
    kept: t('formKept'),
    errors: {
      name: t('formNameMissing'),
      email: t('formEmailMissing'),
      emailWrong: t('formEmailWrong'),
      emailRefused: t('formEmailRefused'),
      phone: t('formPhoneWrong'),
      message: t('formMessageMissing'),
      role: t('formRoleMissing'),
      seniority: t('formSeniorityMissing'),
      count: t('formCountWrong'),
      months: t('formMonthsWrong'),
      privacy: t('formPrivacyMissing'),
      tooLong: t('formTooLong'),
      refused: t('formFieldRefused'),
      files: {
        'too-many': t('formFilesTooMany', { n: MOST_FILES }),
        'too-large': t('formFileTooLarge', { size: megabytes(LARGEST_FILE_BYTES) }),
        'too-much': t('formFilesTooMuch'),
        kind: t('formFileKind'),
        empty: t('formFileEmpty'),
      },
    },
  };
}
