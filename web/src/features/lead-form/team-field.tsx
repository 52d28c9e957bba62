import { type Control, useController, useFieldArray, useFormContext } from 'react-hook-form';
import { findRate, MOST_PEOPLE, type Rate, readCount, usualSeniority } from '../../domain/estimate.ts';
import { fill } from '../../locales/fill.ts';
import { Changing } from '../../ui/changing/changing.tsx';
import { TextButton } from '../../ui/text-link/text-link.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import { describe, Remarks } from './form-field.tsx';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import { EMPTY_ROW, fieldId, htmlName, type LeadValues } from './lead-values.ts';
import { LONGEST_NUMBER_CHARS } from './limits.ts';

interface TeamFieldProps {
  formId: string;
  control: Control<LeadValues>;
  labels: LeadFormLabels;
  rates: readonly Rate[];
  /** Said where the team is one that was proposed. */
  hint: string | null;
  /** True once React is active. The buttons are hidden before. */
  isAwake: boolean;
}

/** The API takes so many. */
const MOST_ROWS = 20;

/** The team: a row for each role. A visitor who does not know removes all rows, and the form shows which team it assumes. */
export function TeamField({ formId, control, labels, rates, hint, isAwake }: TeamFieldProps) {
  const { fields, append, remove } = useFieldArray({ control, name: 'team' });
  return (
    <fieldset className={styles.team}>
      <VisuallyHidden as="legend">{labels.team}</VisuallyHidden>
      {hint && <p className={styles.hint}>{hint}</p>}
      {fields.map(({ id }, index) => (
        <TeamRow
          key={id}
          formId={formId}
          index={index}
          control={control}
          labels={labels}
          rates={rates}
          isAwake={isAwake}
          onRemove={() => remove(index)}
        />
      ))}
      {isAwake && fields.length < MOST_ROWS && (
        <TextButton className={styles.add} onClick={() => append(EMPTY_ROW)}>
          {labels.addRole}
        </TextButton>
      )}
    </fieldset>
  );
}

interface TeamRowProps extends Omit<TeamFieldProps, 'hint'> {
  index: number;
  onRemove: () => void;
}

function TeamRow({ formId, index, control, labels, rates, isAwake, onRemove }: TeamRowProps) {
  const { errors } = labels;
  const { getValues, setValue, trigger } = useFormContext<LeadValues>();
  const row = `team.${index}` as const;
  const role = useController({
    name: `${row}.role`,
    control,
    rules: { validate: (value) => value !== '' || errors.role },
  });
  const seniority = useController({
    name: `${row}.seniority`,
    control,
    rules: {
      // A row needs a role for a price.
      validate: (value, { team }) => {
        const chosen = team[index]?.role ?? '';
        return (
          chosen === '' || findRate({ rates }, { role: chosen, seniority: value }) !== undefined || errors.seniority
        );
      },
    },
  });
  const count = useController({
    name: `${row}.count`,
    control,
    rules: { validate: (value) => readCount(value, MOST_PEOPLE) !== null || errors.count },
  });
  const roles = new Map(rates.map((rate) => [rate.role, rate.name]));
  const seniorities = rates
    .filter((rate) => rate.role === role.field.value || role.field.value === '')
    .map((rate) => rate.seniority);
  const name = (field: string) => htmlName(`${row}.${field}`);
  const id = (field: string) => fieldId(formId, `${row}.${field}`);

  /** A role begins as one person in the middle of its seniorities; an earlier choice stays if the role has it. */
  const choose = (chosen: string) => {
    role.field.onChange(chosen);
    const before = getValues(row);
    if (!findRate({ rates }, { role: chosen, seniority: before.seniority }))
      setValue(`${row}.seniority`, usualSeniority({ rates }, chosen));
    if (before.count === '') setValue(`${row}.count`, '1');
    if (seniority.fieldState.invalid || count.fieldState.invalid) trigger(row);
  };

  const said = {
    role: role.fieldState.error && (role.fieldState.error.message || errors.role),
    seniority: seniority.fieldState.error && (seniority.fieldState.error.message || errors.seniority),
    count: count.fieldState.error && (count.fieldState.error.message || errors.count),
  };
  const remarks = (field: keyof typeof said) => (
    <Remarks id={id(field)} error={said[field]} plain={{ name: name(field), error: errors[field] }} />
  );
  return (
    <div className={styles.row}>
      <div className={styles.field} data-wrong={said.role ? '' : undefined}>
        <label htmlFor={id('role')}>{labels.role}</label>
        <select
          id={id('role')}
          {...role.field}
          name={name('role')}
          onChange={(event) => choose(event.target.value)}
          {...describe(id('role'), undefined, said.role)}
        >
          <option value="">{labels.choose}</option>
          {[...roles].map(([key, title]) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
        {remarks('role')}
      </div>
      <div className={styles.field} data-wrong={said.seniority ? '' : undefined}>
        <label htmlFor={id('seniority')}>{labels.seniority}</label>
        <select
          id={id('seniority')}
          {...seniority.field}
          name={name('seniority')}
          {...describe(id('seniority'), undefined, said.seniority)}
        >
          <option value="">–</option>
          {[...new Set(seniorities)].map((key) => (
            <option key={key} value={key}>
              {labels.seniorities[key]}
            </option>
          ))}
        </select>
        {remarks('seniority')}
      </div>
      <div className={styles.field} data-wrong={said.count ? '' : undefined}>
        <label htmlFor={id('count')}>{labels.count}</label>
        <input
          id={id('count')}
          type="text"
          inputMode="numeric"
          maxLength={LONGEST_NUMBER_CHARS}
          {...count.field}
          name={name('count')}
          {...describe(id('count'), undefined, said.count)}
        />
        {remarks('count')}
      </div>
      {isAwake && (
        <button type="button" className={styles.remove} onClick={onRemove}>
          <VisuallyHidden>
            <Changing>{fill(labels.removeRole, { n: index + 1 })}</Changing>
          </VisuallyHidden>
          <span aria-hidden="true">×</span>
        </button>
      )}
    </div>
  );
}
