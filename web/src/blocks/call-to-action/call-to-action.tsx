import type { BlockOf } from '../../contract/types.ts';
import { Motif } from '../../features/motif/motif.tsx';
import { seedOfPath } from '../../features/motif/seed.ts';
import { useRendering } from '../../rendering/context.ts';
import { Actions } from '../../ui/button/button.tsx';
import { Section } from '../../ui/section/section.tsx';
import styles from './call-to-action.module.css';

/** Shown on the chart of the page that it links to. */
export function CallToAction({ tone, anchor, title, text, actions }: BlockOf<'call_to_action'>) {
  const { prefix, hyphenate } = useRendering();
  return (
    <Section tone={tone} anchor={anchor} className={styles.call}>
      <Motif seed={seedOfPath(actions[0]?.href ?? '/')} id={`${prefix}coast`} />
      <h2>{hyphenate(title)}</h2>
      {text && <p>{text}</p>}
      <Actions links={actions} />
    </Section>
  );
}
