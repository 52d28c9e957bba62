import type { BlockOf } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './tabs.module.css';

/** Without scripts, and on paper, all texts stand below one another; `blocks/tabs/show-tabs.part.ts` makes a list of tabs of them. */
export function Tabs({ tone, anchor, title, text, tabs }: BlockOf<'tabs'>) {
  const { prefix } = useRendering();
  const name = anchor ?? `${prefix}tab`;
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <div className={styles.tabs} data-tabs={title} data-remembers={name}>
        {tabs.map((tab, index) => (
          <div key={tab.title} id={`${name}-${index + 1}`} data-tab={tab.title}>
            <h3>{tab.title}</h3>
            <RichText html={tab.html} />
          </div>
        ))}
      </div>
    </Section>
  );
}
