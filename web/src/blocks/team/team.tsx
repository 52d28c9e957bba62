import type { BlockOf, Cv } from '../../contract/types.ts';
import { joinNames } from '../../domain/names.ts';
import { printCountry } from '../../domain/places.ts';
import type { TextKey } from '../../locales/texts.ts';
import { useRendering } from '../../rendering/context.ts';
import { entryDetails, entryList } from '../../ui/entry-list/entry-list.tsx';
import { Icon } from '../../ui/icon/icon.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './team.module.css';

const SENIORITIES: Record<Cv['seniority'], TextKey> = {
  junior: 'seniorityJunior',
  middle: 'seniorityMiddle',
  senior: 'senioritySenior',
  lead: 'seniorityLead',
};

export function Team({ tone, anchor, title, text, cvs }: BlockOf<'team'>) {
  if (cvs.length === 0) return null;
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ul className={entryList}>
        {cvs.map((cv) => (
          <Specialist key={cv.id} cv={cv} />
        ))}
      </ul>
    </Section>
  );
}

function Specialist({ cv }: { cv: Cv }) {
  const { lang, t } = useRendering();
  const experience = t('yearsOfExperience', { n: cv.years });
  return (
    <li>
      {cv.picture && <Picture picture={{ ...cv.picture, alt: '' }} className={styles.picture} />}
      <h3>{cv.role}</h3>
      <p className={entryDetails}>
        {joinNames(t(SENIORITIES[cv.seniority]), experience, printCountry(cv.country, lang))}
      </p>
      <p>{cv.summary}</p>
      <p className={styles.skills}>{joinNames(...cv.skills)}</p>
      {cv.languages.length > 0 && (
        <p className={`${entryDetails} ${styles.languages}`}>
          <Icon name="languages" />
          {joinNames(...cv.languages)}
        </p>
      )}
    </li>
  );
}
