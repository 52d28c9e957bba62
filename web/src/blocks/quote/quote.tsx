import type { BlockOf } from '../../contract/types.ts';
import { Button } from '../../ui/button/button.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section } from '../../ui/section/section.tsx';
import styles from './quote.module.css';

/** Characters. A longer quote would fill the screen in large type. */
const LARGE_BELOW = 200;

export function Quote({ tone, anchor, quote, role, company, picture, link }: BlockOf<'quote'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <figure className={styles.quote}>
        <blockquote className={quote.length > LARGE_BELOW ? undefined : styles.large}>{quote}</blockquote>
        <figcaption>
          {picture && <Picture picture={picture} />}
          <cite>
            <b>{company}</b>
            {role}
          </cite>
          {link && <Button to={link} kind="quiet" />}
        </figcaption>
      </figure>
    </Section>
  );
}
