import { type Control, useController } from 'react-hook-form';
import type { Link } from '../../contract/types.ts';
import { fill } from '../../locales/fill.ts';
import { describe, Remarks } from './form-field.tsx';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import { fieldId, type LeadValues } from './lead-values.ts';

interface PrivacyFieldProps {
  formId: string;
  control: Control<LeadValues>;
  labels: LeadFormLabels;
  privacy: Link;
}

/** Consent to the use of the sent data. */
export function PrivacyField({ formId, control, labels, privacy }: PrivacyFieldProps) {
  const refused = labels.errors.privacy;
  const { field, fieldState } = useController({
    name: 'privacyAccepted',
    control,
    rules: { validate: (value) => value || refused },
  });
  const id = fieldId(formId, 'privacyAccepted');
  const error = fieldState.error && refused;
  const [before, after] = fill(labels.privacy, { link: '\n' }).split('\n');
  return (
    <div className={styles.privacy} data-wrong={error ? '' : undefined}>
      <label htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          name="privacyAccepted"
          value="true"
          required
          checked={field.value}
          onChange={(event) => field.onChange(event.target.checked)}
          onBlur={field.onBlur}
          ref={field.ref}
          {...describe(id, labels.privacyPartial, error)}
        />
        <span>
          {before}
          <a href={privacy.href} hrefLang={privacy.hreflang ?? undefined} target="_blank" rel="noopener">
            {privacy.title}
          </a>
          {after}
        </span>
      </label>
      <Remarks id={id} hint={labels.privacyPartial} error={error} plain={{ name: 'privacyAccepted', error: refused }} />
    </div>
  );
}
