import { type Control, useController } from 'react-hook-form';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import { fieldId, type LeadValues } from './lead-values.ts';

interface StartFieldProps {
  formId: string;
  control: Control<LeadValues>;
  labels: LeadFormLabels;
}

/** When the work is to begin. */
export function StartField({ formId, control, labels }: StartFieldProps) {
  const { field } = useController({ name: 'start', control });
  return (
    <fieldset className={styles.choices}>
      <legend>
        {labels.start} <small>{labels.optional}</small>
      </legend>
      <div>
        {Object.entries(labels.starts).map(([value, title], index) => (
          <label key={value} htmlFor={`${fieldId(formId, 'start')}-${index}`}>
            <input
              id={`${fieldId(formId, 'start')}-${index}`}
              type="radio"
              name="start"
              value={value}
              checked={field.value === value}
              onChange={() => field.onChange(value)}
              onBlur={field.onBlur}
              ref={index === 0 ? field.ref : undefined}
            />
            <span>{title}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
