import type { ReactNode } from 'react';
import { Changing } from '../../ui/changing/changing.tsx';
import styles from './lead-form.module.css';

interface FormFieldProps {
  id: string;
  label: string;
  /** Text after the label of optional fields. */
  optional?: string | undefined;
  hint?: string | undefined;
  error?: string | undefined;
  /** The field's name in HTML, and its problem if the server refuses a form that was sent without scripts. */
  plain: { name: string; error: string };
  children: ReactNode;
  after?: ReactNode;
}

/** A field with its label above it, and below it the hint and then the error. */
export function FormField({ id, label, optional, hint, error, plain, children, after }: FormFieldProps) {
  return (
    <div className={styles.field} data-wrong={error ? '' : undefined}>
      <label htmlFor={id}>
        {label} {optional && <small>{optional}</small>}
      </label>
      {children}
      <Remarks id={id} hint={hint} error={error} plain={plain} />
      {after}
    </div>
  );
}

/** The error below a field. It is there from the start, so that screen readers announce it once it has a text. */
export function Remarks({ id, hint, error, plain }: Pick<FormFieldProps, 'id' | 'hint' | 'error' | 'plain'>) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      <p id={`${id}-error`} className={styles.error} data-error-of={plain.name} data-error-text={plain.error}>
        <Changing>{error ?? ''}</Changing>
      </p>
    </>
  );
}

/** Returns a field's messages: `aria-describedby` and `aria-invalid`. */
export function describe(id: string, hint: string | undefined, error: string | undefined) {
  return {
    'aria-describedby': hint ? `${id}-hint ${id}-error` : `${id}-error`,
    'aria-invalid': error ? (true as const) : undefined,
  };
}
