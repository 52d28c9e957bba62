import type { FormDefinition } from '../../contract/types.ts';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import type { Sending } from './lead-form-state.ts';

interface FormStatusProps {
  id: string;
  definition: FormDefinition;
  labels: LeadFormLabels;
  sending: Sending;
}

/**
 * The form's result. The thanks are in the page from the start: a form without scripts links to their id, and the style
 * sheet then shows them.
 */
export function FormStatus({ id, definition, labels, sending }: FormStatusProps) {
  return (
    <div role="status" className={styles.status}>
      <div
        id={`${id}-sent`}
        className={styles.thanks}
        data-thanks=""
        data-shown={sending.status === 'sent' ? '' : undefined}
        tabIndex={-1}
      >
        <h3>{definition.thanksTitle}</h3>
        <p>{definition.thanksText}</p>
      </div>
      {sending.status === 'kept' && (
        <div className={styles.kept} data-kept="" tabIndex={-1}>
          <p>{labels.kept}</p>
        </div>
      )}
    </div>
  );
}
