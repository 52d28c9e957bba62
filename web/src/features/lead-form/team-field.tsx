import { type Control, useController, useFieldArray } from 'react-hook-form';
import { MOST_PEOPLE, type Rate, readCount } from '../../domain/estimate.ts';
import { fill } from '../../locales/fill.ts';
import { describe, Remarks } from './form-field.tsx';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import { EMPTY_ROW, fieldId, htmlName, type LeadValues } from './lead-values.ts';

interface TeamFieldProps {
  formId: string;
  control: Control<LeadValues>;
  labels: LeadFormLabels;
  rates: readonly Rate[];
}

/** The API takes so many. */
const MOST_ROWS = 20;

/** Who is to work on it: a row for each role. */
export function TeamField({ formId, control, labels, rates }: TeamFieldProps) {
  const { fields, append, remove } = useFieldArray({ control, name: 'team' });
  return (
    <fieldset className={styles.team}>
      <legend className={styles.unseen}>{labels.team}</legend>
      {fields.map(({ id }, index) => (
        <TeamRow
          key={id}
          formId={formId}
          index={index}
          control={control}
          labels={labels}
          rates={rates}
          onRemove={fields.length > 1 ? () => remove(index) : undefined}
        />
      ))}
      {fields.length < MOST_ROWS && (
        <button type="button" className={styles.add} onClick={() => append(EMPTY_ROW)}>
          {labels.addRole}
        </button>
      )}
    </fieldset>
  );
}

interface TeamRowProps extends TeamFieldProps {
  index: number;
  onRemove: (() => void) | undefined;
}

function TeamRow({ formId, index, control, labels, rates, onRemove }: TeamRowProps) {
  const role = useController({ name: `team.${index}.role`, control }).field;
  const seniority = useController({ name: `team.${index}.seniority`, control }).field;
  const validate = (value: unknown) => readCount(String(value), MOST_PEOPLE) !== null || labels.errors.count;
  const { field: count, fieldState } = useController({ name: `team.${index}.count`, control, rules: { validate } });
  const roles = new Map(rates.map((rate) => [rate.role, rate.name]));
  const seniorities = rates
    .filter((rate) => rate.role === role.value || role.value === '')
    .map((rate) => rate.seniority);
  const name = (field: string) => htmlName(`team.${index}.${field}`);
  const id = (field: string) => fieldId(formId, `team.${index}.${field}`);
  const error = fieldState.error && (fieldState.error.message || labels.errors.count);
  return (
    <div className={styles.row}>
      <div className={styles.field}>
        <label htmlFor={id('role')}>{labels.role}</label>
        <select id={id('role')} {...role} name={name('role')}>
          <option value="">{labels.choose}</option>
          {[...roles].map(([key, title]) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.field}>
        <label htmlFor={id('seniority')}>{labels.seniority}</label>
        <select id={id('seniority')} {...seniority} name={name('seniority')}>
          {[...new Set(seniorities)].map((key) => (
            <option key={key} value={key}>
              {labels.seniorities[key]}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.field} data-wrong={error ? '' : undefined}>
        <label htmlFor={id('count')}>{labels.count}</label>
        <input
          id={id('count')}
          type="text"
          inputMode="numeric"
          maxLength={4}
          {...count}
          name={name('count')}
          {...describe(id('count'), undefined, error)}
        />
        <Remarks id={id('count')} error={error} plain={{ name: name('count'), error: labels.errors.count }} />
      </div>
      {onRemove && (
        <button type="button" className={styles.remove} onClick={onRemove}>
          <span className={styles.unseen}>{fill(labels.removeRole, { n: index + 1 })}</span>
          <span aria-hidden="true">×</span>
        </button>
      )}
    </div>
  );
}
