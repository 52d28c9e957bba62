import type { BlockOf } from '../../contract/types.ts';
import { Link } from '../../ui/link/link.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './tech-stack.module.css';

export function TechStack({ tone, anchor, title, text, groups }: BlockOf<'tech_stack'>) {
  return (
    <Section tone={tone} anchor={anchor} className={styles.stack}>
      <SectionHead title={title} text={text} />
      {groups.map((group) => (
        <div key={group.title}>
          <h3>{group.title}</h3>
          <ul>
            {group.technologies.map(({ name, note, link }) => (
              <li key={name}>
                <b>{link ? <Link to={link}>{name}</Link> : name}</b>
                {note && <p>{note}</p>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  );
}
