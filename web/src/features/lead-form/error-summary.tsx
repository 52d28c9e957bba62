import type { MouseEvent } from 'react';
import { fill } from '../../locales/fill.ts';
import { Changing } from '../../ui/changing/changing.tsx';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import { type CheckedName, fieldId } from './lead-values.ts';
import type { LeadForm } from './use-lead-form.ts';

/** Of a row of the team, in the order of the page. */
const ROW = ['role', 'seniority', 'count'] as const;

interface ErrorSummaryProps {
  id: string;
  labels: LeadFormLabels;
  model: LeadForm;
}

/**
 * The errors that stop the form, with a link to each field. It is in the page from the start, empty: for a form without
 * scripts the server fills it.
 */
export function ErrorSummary({ id, labels, model }: ErrorSummaryProps) {
  const { form, problems, sending } = model;
  const failed = sending.status === 'failed' ? labels[sending.reason] : '';
  const isShown = problems.length > 0 || failed !== '';
  const focus = (event: MouseEvent, name: CheckedName) => {
    event.preventDefault();
    form.setFocus(name === 'team' ? wrongInTeam().name : name);
  };

  /** The first wrong field of the first wrong row, and its message. */
  function wrongInTeam() {
    const { team } = form.formState.errors;
    const rows = Array.isArray(team) ? team : [];
    const index = Math.max(0, rows.findIndex(Boolean));
    const field = ROW.find((each) => rows[index]?.[each]) ?? 'role';
    return { name: `team.${index}.${field}` as const, text: rows[index]?.[field]?.message || labels.errors[field] };
  }

  return (
    <>
      <div
        className={styles.summary}
        data-summary=""
        hidden={!isShown}
        tabIndex={-1}
        data-failed-text={labels.unreachable}
        data-refused-text={labels.refused}
      >
        <p>
          <Changing>{failed || labels.problems}</Changing>
        </p>
        <ul>
          {problems.map((name) => (
            <li key={name}>
              <a href={`#${fieldId(id, name)}`} onClick={(event) => focus(event, name)}>
                <Changing>{messageOf(name)}</Changing>
              </a>
            </li>
          ))}
        </ul>
      </div>
      <p role="status" className={styles.progress}>
        {sending.status === 'sending' && (
          <>
            <progress value={sending.part} aria-hidden="true" />{' '}
            {/* Read out now and then, not at each step of a bar. */}
            <Changing>{fill(labels.sending, { n: Math.round(sending.part * 4) * 25 })}</Changing>
          </>
        )}
      </p>
    </>
  );

  function messageOf(name: CheckedName): string {
    if (name === 'team') return wrongInTeam().text;
    const { error } = form.getFieldState(name, form.formState);
    return error?.message || refusedText(name);
  }

  function refusedText(name: CheckedName): string {
    const { errors } = labels;
    const texts: Partial<Record<CheckedName, string>> = {
      'contact.name': errors.name,
      'contact.email': errors.emailWrong,
      'contact.phone': errors.phone,
      message: errors.message,
      months: errors.months,
      privacyAccepted: errors.privacy,
    };
    return texts[name] ?? errors.refused;
  }
}
