import type { BlockOf } from '../../contract/types.ts';
import { Motif } from '../../features/motif/motif.tsx';
import { seedOfPath } from '../../features/motif/seed.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { breakable } from '../../ui/link/breakable.tsx';
import { Link } from '../../ui/link/link.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './cards.module.css';

/** Two cards that both have a link are shown large, each with its picture, or else the chart of its page. */
export function Cards({ tone, anchor, title, text, cards }: BlockOf<'cards'>) {
  const { prefix } = useRendering();
  const covers = cards.length === 2 && cards.every((card) => card.link);
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ul className={styles.cards}>
        {cards.map((card, index) => (
          <li key={card.title}>
            {covers && card.link && (
              <div className={styles.cover} data-tone="navy">
                {card.picture ? (
                  <Picture picture={card.picture} className={styles.picture} />
                ) : (
                  <Motif seed={seedOfPath(card.link.href)} id={`${prefix}${index}`} plain />
                )}
              </div>
            )}
            {card.icon && !covers && <Icon name={card.icon} />}
            <h3>{card.title}</h3>
            <p>{card.text}</p>
            {card.link && (
              <Link to={card.link}>
                {breakable(card.link.title)}
                <Icon name={card.link.external ? 'arrow-up-right' : 'arrow-right'} directional />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
