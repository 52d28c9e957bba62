import { useEffect, useReducer, useRef, useState } from 'react';
import { get, type UseFormReturn, useForm } from 'react-hook-form';
import type { FormStep } from '../../contract/types.ts';
import { type Estimate, estimatePrice, proposeTeam, type TeamRow } from '../../domain/estimate.ts';
import type { AdClick } from '../../domain/tracking.ts';
import { ApiError } from '../../lib/api-call.ts';
import { keepLead, watchKeptLeads } from '../../lib/lead-queue.ts';
import { sendLead, sendPartial } from '../../lib/send-lead.ts';
import { readLocal, readSession, removeSession, writeSession } from '../../lib/storage.ts';
import { readServedCountry } from '../../lib/visitor-country.ts';
import { type Captcha, NO_TOKEN, startCaptcha } from './browser/captcha.ts';
import { readPageUrl } from './browser/page-url.ts';
import { draftKey, readDraft, writeDraft } from './form-draft.ts';
import type { LeadFormProps } from './lead-form-props.ts';
import { reduceLeadForm, type Sending, START } from './lead-form-state.ts';
import { buildPayload } from './lead-payload.ts';
import { type CheckedName, checkedNames, EMPTY, isEmpty, type LeadValues, maySendPartial } from './lead-values.ts';
import { useChosenFiles } from './use-chosen-files.ts';
import { useLeftForm } from './use-left-form.ts';

export interface LeadForm {
  form: UseFormReturn<LeadValues>;
  /** Whether React answers: until then, and without scripts, the browser checks and sends the form. */
  isAwake: boolean;
  step: number;
  /** Changes whenever the focus has to move to the step, to its errors, or to the form's result. */
  moves: number;
  sending: Sending;
  /** Null where nothing is priced. */
  estimate: Estimate | null;
  /** Whether the team is the one the form has proposed. */
  isTeamProposed: boolean;
  files: ReturnType<typeof useChosenFiles>;
  /** Names of the step's wrong fields, in the order of the page; filled when the visitor wants to go on. */
  problems: CheckedName[];
  onFocus(): void;
  goOn(): void;
  goBack(): void;
}

export function useLeadForm({ id, definition, rates, captcha: captchaSettings }: LeadFormProps): LeadForm {
  const { form: name, steps } = definition;
  const form = useForm<LeadValues>({
    defaultValues: EMPTY,
    // Not when a field is left: the error would push the button away while the visitor is about to press it.
    mode: 'onSubmit',
    shouldFocusError: false,
  });
  const { errors } = form.formState; // read in every render: only then is a change of them one of the form's
  const [state, dispatch] = useReducer(reduceLeadForm, START);
  const [isAwake, setAwake] = useState(false);
  const [problems, setProblems] = useState<CheckedName[]>([]);
  const files = useChosenFiles();
  const submission = useRef<Submission | null>(null);
  const captcha = useRef<Captcha | null>(null);
  const isBusy = useRef(false);
  const proposed = useRef(EMPTY.team);
  const pageUrl = useRef('');
  const { step, moves, sending } = state;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form has come to life
  useEffect(() => {
    pageUrl.current = readPageUrl(id); // while its page is shown
    setAwake(true);
    captcha.current = startCaptcha(captchaSettings);
    // The first focus may have come before React.
    if (document.activeElement?.closest('form')?.dataset['form'] === name) captcha.current.begin();
    const draft = readDraft(readSession(draftKey(name)), steps.length);
    submission.current = beginSubmission(draft?.key, draft?.secondsOpen);
    if (draft) {
      form.reset(draft.values, { keepDefaultValues: true });
      const usual = rates ? proposeTeam(rates.card, draft.values.services) : [];
      if (isSame(draft.values.team, usual)) proposed.current = usual;
      dispatch({ type: 'restored', step: draft.step });
    }
    if (form.getValues('phoneCountry') === '') form.setValue('phoneCountry', readServedCountry() ?? '');
  }, []);

  function currentSubmission(): Submission {
    submission.current ??= beginSubmission();
    return submission.current;
  }

  const draftOf = (values: LeadValues) => {
    const { key, secondsOpen } = currentSubmission();
    return writeDraft({ key, step, secondsOpen: secondsOpen(), values });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is part of the stored draft
  useEffect(() => {
    const isDone = sending.status === 'sent' || sending.status === 'kept';
    if (!isAwake || isDone) return;
    const keep = () => writeSession(draftKey(name), draftOf(form.getValues()));
    if (step > 0 || !isEmpty(form.getValues())) keep();
    return form.subscribe({ formState: { values: true }, callback: ({ name: changed }) => changed && keep() });
  }, [form, name, step, isAwake, sending.status]);

  // A field's error disappears as soon as the field is right.
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name: changed }) => {
          if (changed && form.getFieldState(changed as CheckedName).invalid) form.trigger(changed as CheckedName);
        },
      }),
    [form],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a kept form waits
  useEffect(() => {
    if (sending.status !== 'kept') return;
    return watchKeptLeads(({ key, isTaken }) => {
      if (key !== submission.current?.key) return;
      if (isTaken) succeed();
      else dispatch({ type: 'failed', reason: 'refused' });
    });
  }, [sending.status]);

  const [services, team, months, start] = form.watch(['services', 'team', 'months', 'start']);
  const asks = (field: FormStep['fields'][number]) => steps.some(({ fields }) => fields.includes(field));
  const estimate =
    rates && (asks('team') || asks('services'))
      ? estimatePrice(rates.card, {
          services: asks('services') ? services : null,
          team: asks('team') ? team : null,
          months: asks('months') ? months : null,
          start: asks('start') ? start : null,
        })
      : null;

  /** Until the visitor changes it, the team is the usual team of the services. */
  function propose() {
    if (!rates || !isSame(form.getValues('team'), proposed.current)) return;
    const usual = proposeTeam(rates.card, form.getValues('services'));
    proposed.current = usual.length > 0 ? usual : EMPTY.team;
    form.setValue('team', proposed.current);
  }

  /** A second click is ignored while the first one is being answered. */
  async function goOn() {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await checkAndGoOn();
    } finally {
      isBusy.current = false;
    }
  }

  async function checkAndGoOn() {
    const current = steps[step];
    if (!current) return;
    const isLast = step === steps.length - 1;
    const names = checkedNames(current, isLast);
    await form.trigger(names);
    const wrong = names.filter((checked) => form.getFieldState(checked).invalid);
    setProblems(wrong);
    if (wrong.length > 0) dispatch({ type: 'went', to: step });
    else if (isLast) await send();
    else {
      if (steps[step + 1]?.fields.includes('team')) propose();
      dispatch({ type: 'went', to: step + 1 });
    }
  }

  function payloadOf(values: LeadValues, secondsOpen: number, captchaToken: string) {
    return buildPayload(definition, step, values, files.files, estimate?.price ?? null, {
      pageUrl: pageUrl.current || location.href,
      firstVisitUrl: readLocal('firstVisitUrl'),
      sessionEntryUrl: readSession('sessionEntryUrl'),
      adClick: readAdClick(),
      country: readServedCountry() ?? null,
      secondsOpen,
      captchaToken,
    });
  }

  useLeftForm(() => {
    const values = form.getValues();
    if (sending.status === 'sent' || sending.status === 'kept' || !maySendPartial(values)) return;
    const { key, secondsOpen } = currentSubmission();
    sendPartial(payloadOf(values, secondsOpen(), NO_TOKEN), key);
  });

  async function send() {
    const { key, secondsOpen } = currentSubmission();
    dispatch({ type: 'began' });
    // The values at the time of the check: the second half of a double click may hit a field that has moved under the
    // pointer.
    const values = structuredClone(form.getValues());
    const captchaToken = (await captcha.current?.takeToken()) ?? NO_TOKEN;
    const payload = payloadOf(values, secondsOpen(), captchaToken);
    try {
      await sendLead(payload, key, (part) => dispatch({ type: 'rose', part }));
      succeed();
    } catch (error) {
      console.error('The form was not taken.', error);
      if (error instanceof ApiError) {
        const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 409;
        setProblems(isRefused ? markRefused(error) : []);
        dispatch({ type: 'failed', reason: isRefused ? 'refused' : 'unreachable' });
      } else if (navigator.onLine) dispatch({ type: 'failed', reason: 'unreachable' });
      else await keep({ ...payload, captchaToken: NO_TOKEN });
    }
  }

  async function keep(fields: ReturnType<typeof buildPayload>) {
    const { key } = currentSubmission();
    try {
      await keepLead({ key, fields, draft: { key: draftKey(name), value: draftOf(form.getValues()) } });
      removeSession(draftKey(name));
      dispatch({ type: 'kept' });
    } catch (error) {
      console.error('The browser keeps nothing: the form stays as it is.', error);
      dispatch({ type: 'failed', reason: 'unreachable' });
    }
  }

  function succeed() {
    removeSession(draftKey(name));
    submission.current = null;
    form.reset(EMPTY);
    proposed.current = EMPTY.team;
    files.clear();
    dispatch({ type: 'sent' });
  }

  /** Shows the error at each field that the server has refused; returns their names. */
  function markRefused({ body }: ApiError): CheckedName[] {
    const names = new Set(steps.flatMap((one, index) => checkedNames(one, index === steps.length - 1)));
    const refused = readRefusedFields(body);
    const found = [...names].filter((checked) =>
      refused.some((field) => field === checked || field.startsWith(`${checked}.`)),
    );
    for (const checked of found) form.setError(checked, { type: 'refused' });
    return found;
  }

  return {
    form,
    isAwake,
    step,
    moves,
    sending,
    estimate,
    isTeamProposed: team.length > 0 && team[0]?.role !== '' && isSame(team, proposed.current),
    files,
    problems: problems.filter((checked) => get(errors, checked)),
    onFocus: () => captcha.current?.begin(),
    goOn,
    goBack: () => {
      setProblems([]);
      dispatch({ type: 'went', to: Math.max(0, step - 1) });
    },
  };
}

function isSame(team: LeadValues['team'], other: LeadValues['team']): boolean {
  return team.length === other.length && team.every((row, index) => isSameRow(row, other[index]));
}

function isSameRow(row: TeamRow, other: TeamRow | undefined): boolean {
  return row.role === other?.role && row.seniority === other.seniority && row.count === other.count;
}

interface Submission {
  key: string;
  /** By a clock that only goes forward, over all reloads. */
  secondsOpen(): number;
}

function beginSubmission(key = makeKey(), before = 0): Submission {
  const opened = performance.now();
  return { key, secondsOpen: () => before + (performance.now() - opened) / 1000 };
}

/** `randomUUID` is only for pages of https and of the own computer. */
function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** As `runtime/third-party/tracking.ts` has kept it. */
function readAdClick(): AdClick | null {
  try {
    return JSON.parse(readLocal('adClickId') ?? 'null');
  } catch {
    return null;
  }
}

/** `contact[email]` is `contact.email` here. */
function readRefusedFields(body: string): string[] {
  try {
    const { errors }: { errors?: { field: string }[] } = JSON.parse(body);
    return (errors ?? []).map(({ field }) => field.replace(/\[(\w+)\]/g, '.$1'));
  } catch {
    return [];
  }
}
