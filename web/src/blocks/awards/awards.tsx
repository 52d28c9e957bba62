import type { BlockOf } from '../../contract/types.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './awards.module.css';

export function Awards({ tone, anchor, title, text, awards }: BlockOf<'awards'>) {
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ul className={styles.awards}>
        {awards.map((award) => (
          <li key={`${award.year} ${award.title}`}>
            <p>{award.year}</p>
            <h3>{award.title}</h3>
            <p>{award.issuer}</p>
            {award.link && (
              <Link to={award.link}>
                {award.link.title}
                <Icon name={award.link.external ? 'arrow-up-right' : 'arrow-right'} directional />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
