import { fill } from '../../locales/fill.ts';
import { Changing } from '../../ui/changing/changing.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import { megabytes } from './chosen-files.ts';
import { describe, Remarks } from './form-field.tsx';
import styles from './lead-form.module.css';
import type { LeadFormLabels } from './lead-form-props.ts';
import { fieldId } from './lead-values.ts';
import { FILE_EXTENSIONS } from './limits.ts';
import type { useChosenFiles } from './use-chosen-files.ts';

interface AttachmentsFieldProps {
  formId: string;
  labels: LeadFormLabels;
  chosen: ReturnType<typeof useChosenFiles>;
}

const ACCEPT = FILE_EXTENSIONS.map((extension) => `.${extension}`).join();

/** The attached files: each with its size and a button that removes it. */
export function AttachmentsField({ formId, labels, chosen }: AttachmentsFieldProps) {
  const { files, refused, removed } = chosen;
  const id = fieldId(formId, 'attachments');
  const error = refused.map(({ name, problem }) => fill(labels.errors.files[problem], { name })).join(' ');
  const last = files.at(-1);
  const news = removed !== null ? fill(labels.fileRemoved, { name: removed }) : '';
  return (
    <div className={styles.field} data-wrong={error ? '' : undefined}>
      <label htmlFor={id}>
        {labels.attachments} <small>{labels.optional}</small>
      </label>
      <div className={styles.files}>
        {files.length > 0 && (
          <ul>
            {files.map((file) => (
              <li key={`${file.name} ${file.lastModified}`}>
                <bdi>{file.name}</bdi> <small>{megabytes(file.size)} MB</small>
                <button type="button" onClick={() => chosen.remove(file)}>
                  <VisuallyHidden>{fill(labels.removeFile, { name: file.name })}</VisuallyHidden>
                  <span aria-hidden="true">×</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <label htmlFor={id} className={styles.choose}>
          {labels.chooseFiles}
        </label>
        <input
          id={id}
          ref={chosen.input}
          type="file"
          name="attachments"
          multiple
          accept={ACCEPT}
          onChange={chosen.onChange}
          {...describe(id, labels.attachmentsHint, error)}
        />
      </div>
      <VisuallyHidden as="p" role="status">
        <Changing>
          {news || (last ? fill(labels.fileChosen, { name: last.name, size: megabytes(last.size) }) : '')}
        </Changing>
      </VisuallyHidden>
      <Remarks
        id={id}
        hint={labels.attachmentsHint}
        error={error}
        plain={{ name: 'attachments', error: labels.errors.refused }}
      />
    </div>
  );
}
