import { FormProvider } from 'react-hook-form';
import type { FormField, FormStep } from '../../contract/types.ts';
import { MOST_MONTHS, readCount } from '../../domain/estimate.ts';
import { trimText } from '../../domain/invisible.ts';
import { fill } from '../../locales/fill.ts';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import { AttachmentsField } from './attachments-field.tsx';
import { EmailField } from './email-field.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { FormStatus } from './form-status.tsx';
import styles from './lead-form.module.css';
import type { LeadFormProps } from './lead-form-props.ts';
import { LONGEST_LINE_CHARS, LONGEST_NUMBER_CHARS, LONGEST_TEXT_CHARS } from './limits.ts';
import { PhoneField } from './phone-field.tsx';
import { PriceLine } from './price-line.tsx';
import { PrivacyField } from './privacy-field.tsx';
import { ServicesField } from './services-field.tsx';
import { StartField } from './start-field.tsx';
import { TeamField } from './team-field.tsx';
import { TextField } from './text-field.tsx';
import { type LeadForm as LeadFormModel, useLeadForm } from './use-lead-form.ts';
import { useMovedFocus } from './use-moved-focus.ts';

/**
 * A form of one step or several, as its definition says. Before React is there, and without scripts, all of it is one ordinary
 * form that the browser checks and sends to `/__form`.
 */
export function LeadForm(props: LeadFormProps) {
  const { id, definition, rates, labels } = props;
  const model = useLeadForm(props);
  const { form, step, sending } = model;
  const place = useMovedFocus(model.moves);
  const { steps } = definition;
  const isLast = step === steps.length - 1;
  const asksForPrice = steps.some(({ fields }) => fields.includes('team') || fields.includes('services'));
  const isDone = sending.status === 'sent' || sending.status === 'kept';
  return (
    <FormProvider {...form}>
      <div ref={place} className={styles.root}>
        <FormStatus id={id} definition={definition} labels={labels} sending={sending} />
        <form
          id={id}
          className={styles.form}
          method="post"
          action={`/__form?done=${id}-sent`}
          encType="multipart/form-data"
          hidden={isDone}
          noValidate={model.isAwake}
          data-form={definition.form}
          onFocus={model.onFocus}
          onSubmit={(event) => {
            event.preventDefault();
            model.goOn();
          }}
        >
          <input type="hidden" name="form" value={definition.form} />
          <input type="hidden" name="captchaToken" value="no-token" />
          <ErrorSummary id={id} labels={labels} model={model} />
          {steps.map((one, index) => (
            <div
              key={one.key}
              className={styles.step}
              data-step={one.key}
              data-later={index === step ? undefined : ''}
              tabIndex={-1}
            >
              <StepHead step={one} index={index} total={steps.length} text={labels.step} />
              {one.fields.map((field) => (
                <Field key={field} field={field} props={props} model={model} />
              ))}
            </div>
          ))}
          <div className={styles.last} data-later={isLast ? undefined : ''}>
            <Honeypot id={id} label={labels.website} model={model} />
            <PrivacyField formId={id} control={form.control} labels={labels} privacy={definition.privacy} />
          </div>
          {asksForPrice && <PriceLine {...{ definition, labels, rates }} estimate={model.estimate} />}
          <div className={styles.actions}>
            {step > 0 && (
              <button type="button" className={styles.quiet} onClick={model.goBack}>
                {labels.back}
              </button>
            )}
            <button type="submit" className={styles.signal} aria-disabled={sending.status === 'sending' || undefined}>
              <span data-later={isLast ? '' : undefined} className={styles.next}>
                {labels.next}
              </span>
              <span data-later={isLast ? undefined : ''}>{definition.submit}</span>
            </button>
          </div>
        </form>
      </div>
    </FormProvider>
  );
}

function StepHead({ step, index, total, text }: { step: FormStep; index: number; total: number; text: string }) {
  if (step.title === '') return null;
  return (
    <div className={styles.head}>
      <p className={styles.count}>{fill(text, { n: index + 1, total })}</p>
      <h3 tabIndex={-1} data-step-title="">
        {step.title}
      </h3>
      {step.text && <p>{step.text}</p>}
    </div>
  );
}

function Field({ field, props, model }: { field: FormField; props: LeadFormProps; model: LeadFormModel }) {
  const { id: formId, definition, rates, labels, lang } = props;
  const { control } = model.form;
  const { errors } = labels;
  const required = definition.required.includes(field);
  const optional = required ? undefined : labels.optional;
  switch (field) {
    case 'name':
      return (
        <TextField
          {...{ formId, control, required, optional }}
          name="contact.name"
          label={labels.name}
          refused={errors.name}
          rules={{ validate: (value) => isGiven(value) || errors.name }}
          maxLength={LONGEST_LINE_CHARS}
          autoComplete="name"
        />
      );
    case 'email':
      return <EmailField {...{ formId, control, labels }} />;
    case 'company':
      return (
        <TextField
          {...{ formId, control, required, optional }}
          name="contact.company"
          label={labels.company}
          refused={errors.refused}
          rules={{}}
          maxLength={LONGEST_LINE_CHARS}
          autoComplete="organization"
        />
      );
    case 'phone':
      return <PhoneField {...{ formId, control, labels, lang, required }} />;
    case 'services':
      return definition.services.length === 0 ? null : (
        <ServicesField
          {...{ formId, control }}
          label={labels.services}
          optional={labels.optional}
          services={definition.services}
        />
      );
    case 'team':
      return (
        rates && (
          <TeamField
            {...{ formId, control, labels }}
            rates={rates.card.rates}
            hint={model.isTeamProposed ? labels.teamProposed : null}
            isAwake={model.isAwake}
          />
        )
      );
    case 'months':
      return (
        <TextField
          {...{ formId, control, required, optional }}
          name="months"
          label={labels.months}
          hint={labels.monthsHint}
          refused={errors.months}
          rules={{
            validate: (value) => !isGiven(value) || readCount(String(value), MOST_MONTHS) !== null || errors.months,
          }}
          maxLength={LONGEST_NUMBER_CHARS}
          inputMode="numeric"
        />
      );
    case 'start':
      return <StartField {...{ formId, control, labels }} />;
    case 'message':
      return (
        <TextField
          {...{ formId, control, required, optional }}
          name="message"
          label={labels.message}
          hint={labels.messageHint}
          refused={errors.message}
          rules={{ validate: (value) => !required || isGiven(value) || errors.message }}
          maxLength={LONGEST_TEXT_CHARS}
          rows={5}
        />
      );
    case 'attachments':
      return <AttachmentsField {...{ formId, labels }} chosen={model.files} />;
  }
}

/** Invisible: only a robot fills it in. */
function Honeypot({ id, label, model }: { id: string; label: string; model: LeadFormModel }) {
  return (
    <VisuallyHidden as="div" aria-hidden="true">
      <label htmlFor={`${id}-website`}>{label}</label>
      <input id={`${id}-website`} type="text" tabIndex={-1} autoComplete="off" {...model.form.register('website')} />
    </VisuallyHidden>
  );
}

function isGiven(value: unknown): boolean {
  return trimText(String(value)) !== '';
}
