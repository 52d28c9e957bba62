import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute, ReactNode } from 'react';
import { type Control, type RegisterOptions, useController } from 'react-hook-form';
import { describe, FormField } from './form-field.tsx';
import { fieldId, htmlName, type LeadValues } from './lead-values.ts';

type TextName = 'contact.name' | 'contact.email' | 'contact.company' | 'months' | 'message';

interface TextFieldProps {
  formId: string;
  name: TextName;
  control: Control<LeadValues>;
  label: string;
  optional?: string | undefined;
  hint?: string | undefined;
  /** The message if the server refuses it. */
  refused: string;
  rules: Pick<RegisterOptions<LeadValues, TextName>, 'validate'>;
  required: boolean;
  maxLength: number;
  type?: HTMLInputTypeAttribute;
  inputMode?: 'email' | 'numeric';
  autoComplete?: HTMLInputAutoCompleteAttribute;
  /** More than one line. */
  rows?: number;
  onLeave?: ((value: string) => void) | undefined;
  after?: ReactNode;
}

/** One line of text, or several. */
export function TextField({
  formId,
  name,
  control,
  label,
  optional,
  hint,
  refused,
  rules,
  required,
  maxLength,
  type = 'text',
  inputMode,
  autoComplete,
  rows,
  onLeave,
  after,
}: TextFieldProps) {
  const { field, fieldState } = useController({ name, control, rules });
  const id = fieldId(formId, name);
  const error = fieldState.error && (fieldState.error.message || refused);
  const shared = {
    id,
    name: htmlName(name),
    value: field.value,
    ref: field.ref,
    onChange: field.onChange,
    onBlur: () => {
      field.onBlur();
      onLeave?.(field.value);
    },
    required,
    maxLength,
    // Values that are written from left to right stay so in an Arabic form.
    dir: type === 'email' ? ('ltr' as const) : ('auto' as const),
    ...describe(id, hint, error),
  };
  return (
    <FormField
      id={id}
      label={label}
      optional={optional}
      hint={hint}
      error={error}
      plain={{ name: htmlName(name), error: refused }}
      after={after}
    >
      {rows ? (
        <textarea rows={rows} {...shared} />
      ) : (
        <input type={type} inputMode={inputMode} autoComplete={autoComplete} {...shared} />
      )}
    </FormField>
  );
}
