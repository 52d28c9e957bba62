import type { BlockOf } from '../../contract/index.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './cards.module.css';

export function Cards({ tone, anchor, title, text, cards }: BlockOf<'cards'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ul className={styles.cards}>
        {cards.map((card) => (
          <li key={card.title}>
            {card.icon && <Icon name={card.icon} />}
            <h3>{card.title}</h3>
            <p>{card.text}</p>
            {card.link && (
              <Link to={card.link}>
                {card.link.title}
                <Icon name={card.link.external ? 'arrow-up-right' : 'arrow-right'} directional />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
