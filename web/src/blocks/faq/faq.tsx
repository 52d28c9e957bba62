import type { BlockOf } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { Section } from '../../ui/section/section.tsx';
import styles from './faq.module.css';

export function Faq({ tone, anchor, title, questions }: BlockOf<'faq'>) {
  const { hyphenate } = useRendering();
  return (
    <Section tone={tone} anchor={anchor} className={styles.faq}>
      <h2>{hyphenate(title)}</h2>
      <div>
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>
              {question}
              <Icon name="plus" />
            </summary>
            <RichText html={answer} />
          </details>
        ))}
      </div>
    </Section>
  );
}
