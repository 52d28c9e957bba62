import type { BlockOf } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Island } from '../../rendering/island.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import { draftKey } from './form-draft.ts';
import styles from './form-section.module.css';
import { LeadForm } from './lead-form.island.tsx';
import { buildLeadFormProps } from './lead-form-props.ts';

/** A block that is a form: its title and text, and the form next to them. */
export function FormSection(block: BlockOf<'contact_form' | 'estimate'>) {
  const { tone, anchor, title, text, definition } = block;
  const rendering = useRendering();
  const props = buildLeadFormProps(block, rendering);
  return (
    <Section tone={tone} anchor={anchor}>
      <div className={styles.head}>
        <SectionHead title={title} text={text} />
      </div>
      <Island component={LeadForm} props={props} draft={draftKey(definition.form)} className={styles.form} />
      {/* Outside of the island, which then is the same on every page and rendered once. */}
      <input type="hidden" name="pageUrl" value={rendering.pageUrl} form={props.id} />
    </Section>
  );
}
