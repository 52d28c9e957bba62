import { useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import { prefixOf, takeApart } from '../../domain/phone-number.ts';
import { plainPhone } from '../../domain/typed-number.ts';
import { Changing } from '../../ui/changing/changing.tsx';
import { describe, FormField } from './form-field.tsx';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import { fieldId, htmlName, type LeadValues } from './lead-values.ts';
import { LONGEST_LINE_CHARS } from './limits.ts';
import { usePhoneCountries } from './use-phone-countries.ts';

interface PhoneFieldProps {
  formId: string;
  control: Control<LeadValues>;
  labels: LeadFormLabels;
  lang: string;
  required: boolean;
}

/**
 * A prefix to choose and a field for the other digits. When the visitor leaves the field, a number typed with its prefix is
 * split. If the number is optional, no input stops the form: an unlikely number is sent with a warning.
 */
export function PhoneField({ formId, control, labels, lang, required }: PhoneFieldProps) {
  const countries = usePhoneCountries(lang);
  const validate = (value: unknown) => !required || plainPhone(String(value)) !== null || labels.errors.phone;
  const { field, fieldState } = useController({ name: 'contact.phone', control, rules: { validate } });
  const country = useController({ name: 'phoneCountry', control }).field;
  const id = fieldId(formId, 'contact.phone');
  const error = fieldState.error && (fieldState.error.message || labels.errors.phone);
  const prefix = prefixOf(country.value);

  const [left, setLeft] = useState('');
  const isOdd = !required && left.trim() !== '' && left === field.value && plainPhone(left) === null;

  const onBlur = () => {
    setLeft(field.value);
    const taken = takeApart(field.value, country.value);
    if (taken.rest !== field.value) field.onChange(taken.rest);
    if (taken.country !== country.value) country.onChange(taken.country);
    field.onBlur();
  };

  return (
    <FormField
      id={id}
      label={labels.phone}
      optional={required ? undefined : labels.optional}
      hint={labels.phoneHint}
      error={error}
      plain={{ name: htmlName('contact.phone'), error: labels.errors.phone }}
      after={
        <p role="status" className={styles.remark}>
          <Changing>{isOdd ? labels.phoneOdd : ''}</Changing>
        </p>
      }
    >
      <div className={styles.phone} dir="ltr">
        <div className={styles.prefix}>
          <span aria-hidden="true" translate="no">
            {prefix ? `+${prefix}` : '+'}
          </span>
          <select
            aria-label={labels.phoneCountry}
            value={country.value}
            onChange={country.onChange}
            onBlur={country.onBlur}
            ref={country.ref}
          >
            {/* Until the names are there, and where no country is known. */}
            <option value={countries.length === 0 ? country.value : ''} />
            {countries.map(({ code, prefix: number, name }) => (
              <option key={code} value={code}>
                {name} +{number}
              </option>
            ))}
          </select>
        </div>
        <input
          id={id}
          name={htmlName('contact.phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          dir="ltr"
          maxLength={LONGEST_LINE_CHARS}
          required={required}
          value={field.value}
          onChange={field.onChange}
          onBlur={onBlur}
          ref={field.ref}
          {...describe(id, countries.length === 0 ? labels.phoneHint : undefined, error)}
        />
      </div>
    </FormField>
  );
}
