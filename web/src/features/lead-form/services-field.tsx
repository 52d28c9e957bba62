import { type Control, useController, useFormContext } from 'react-hook-form';
import type { FormDefinition } from '../../contract/types.ts';
import styles from './lead-form.module.css';
import { fieldId, type LeadValues } from './lead-values.ts';

interface ServicesFieldProps {
  formId: string;
  control: Control<LeadValues>;
  label: string;
  optional: string;
  services: FormDefinition['services'];
}

/** The subject of the request: any number of services. */
export function ServicesField({ formId, control, label, optional, services }: ServicesFieldProps) {
  const { field } = useController({ name: 'services', control });
  const { getValues } = useFormContext<LeadValues>();
  // Reads the current choice, because several boxes may be ticked before the next render.
  const set = (value: string, isChosen: boolean) => {
    const others = getValues('services').filter((other) => other !== value);
    field.onChange(isChosen ? [...others, value] : others);
  };
  return (
    <fieldset className={styles.choices}>
      <legend>
        {label} <small>{optional}</small>
      </legend>
      <div>
        {services.map(({ value, title }, index) => (
          <label key={value} htmlFor={`${fieldId(formId, 'services')}-${index}`}>
            <input
              id={`${fieldId(formId, 'services')}-${index}`}
              type="checkbox"
              name="services"
              value={value}
              checked={field.value.includes(value)}
              onChange={(event) => set(value, event.target.checked)}
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
