import type { BlockOf } from '../../contract/types.ts';
import { FormSection } from '../../features/lead-form/form-section.tsx';

export function ContactForm(block: BlockOf<'contact_form'>) {
  return <FormSection {...block} />;
}
