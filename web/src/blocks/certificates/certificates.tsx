import type { BlockOf, Certificate } from '../../contract/types.ts';
import { printDays } from '../../domain/dates.ts';
import { useRendering } from '../../rendering/context.ts';
import { entryDetails, entryList } from '../../ui/entry-list/entry-list.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './certificates.module.css';

export function Certificates({ tone, anchor, title, text, certificates }: BlockOf<'certificates'>) {
  if (certificates.length === 0) return null;
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ul className={entryList}>
        {certificates.map((certificate) => (
          <li key={certificate.id}>
            {certificate.picture && (
              <Picture picture={{ ...certificate.picture, alt: '' }} className={styles.picture} />
            )}
            <h3>{certificate.title}</h3>
            <p className={entryDetails}>
              {certificate.issuer}
              {certificate.number && (
                <>
                  {'\u00a0· '}
                  <bdi>{certificate.number}</bdi>
                </>
              )}
            </p>
            <Validity certificate={certificate} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Until when it is valid; where it has no last day, since when. */
function Validity({ certificate: { issued, expires } }: { certificate: Certificate }) {
  const { t, dateLocale } = useRendering();
  const day = expires ?? issued;
  const date = printDays(day, day, dateLocale);
  return (
    <p className={entryDetails}>
      <time dateTime={day}>{expires ? t('validUntil', { date }) : t('issuedOn', { date })}</time>
    </p>
  );
}
