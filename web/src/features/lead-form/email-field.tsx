import { type Control, useFormContext } from 'react-hook-form';
import { trimText } from '../../domain/invisible.ts';
import { fill } from '../../locales/fill.ts';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import { fieldId, type LeadValues, looksLikeAddress } from './lead-values.ts';
import { LONGEST_LINE_CHARS } from './limits.ts';
import { TextField } from './text-field.tsx';
import { useEmailCheck } from './use-email-check.ts';

interface EmailFieldProps {
  formId: string;
  control: Control<LeadValues>;
  labels: LeadFormLabels;
}

/** The address is checked when the field is left; a probable typing mistake can be corrected with a click. */
export function EmailField({ formId, control, labels }: EmailFieldProps) {
  const { setValue, setFocus, trigger } = useFormContext<LeadValues>();
  const check = useEmailCheck(fieldId(formId, 'contact.email'), (address) => ask(address));
  const { errors } = labels;

  const ask = async (address: string) => {
    await check.ask(address);
    if (check.isRefused(address)) await trigger('contact.email');
  };

  const accept = (address: string) => {
    setValue('contact.email', address, { shouldDirty: true, shouldValidate: true });
    setFocus('contact.email');
    ask(address);
  };

  const validate = (value: unknown) => {
    const address = trimText(String(value));
    if (address === '') return errors.email;
    if (!looksLikeAddress(address)) return errors.emailWrong;
    return !check.isRefused(address) || errors.emailRefused;
  };

  return (
    <TextField
      formId={formId}
      name="contact.email"
      control={control}
      label={labels.email}
      refused={errors.emailWrong}
      rules={{ validate }}
      required
      maxLength={LONGEST_LINE_CHARS}
      type="email"
      inputMode="email"
      autoComplete="email"
      onLeave={ask}
      after={
        <p role="status" className={styles.suggestion}>
          {check.suggestion && (
            <button key={check.suggestion} type="button" onClick={() => accept(check.suggestion ?? '')}>
              <Suggestion text={labels.emailSuggestion} address={check.suggestion} />
            </button>
          )}
        </p>
      }
    />
  );
}

function Suggestion({ text, address }: { text: string; address: string }) {
  const [before, after] = fill(text, { address: '\n' }).split('\n');
  return (
    <>
      {before}
      <bdi>{address}</bdi>
      {after}
    </>
  );
}
