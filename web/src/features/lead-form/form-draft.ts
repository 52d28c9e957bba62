/** The draft of a form in the session while a visitor fills it in: never files or the captcha's token. Pure. */
import { type LeadValues, readValues } from './lead-values.ts';

export interface FormDraft {
  /** `Idempotency-Key` of the submission, made when the form was opened. */
  key: string;
  step: number;
  /** How long the form has been open, over all reloads. */
  secondsOpen: number;
  values: LeadValues;
}

/** Key in the session. */
export function draftKey(form: string): string {
  return `formDraft:${form}`;
}

export function writeDraft(draft: FormDraft): string {
  return JSON.stringify({ ...draft, values: { ...draft.values, website: undefined } });
}

/** Returns null if there is no readable draft. */
export function readDraft(stored: string | null, steps: number): FormDraft | null {
  if (stored === null) return null;
  try {
    const draft: Partial<FormDraft> | null = JSON.parse(stored);
    if (typeof draft?.key !== 'string' || draft.key === '') return null;
    const step = Number.isInteger(draft.step) ? Number(draft.step) : 0;
    const seconds = Number(draft.secondsOpen);
    return {
      key: draft.key,
      step: Math.min(Math.max(step, 0), steps - 1),
      secondsOpen: Number.isFinite(seconds) && seconds > 0 ? seconds : 0,
      values: readValues(draft.values),
    };
  } catch {
    return null;
  }
}
