import type { LayoutProps, PageOf } from 'portolan/layouts/of-plugins.ts';
import { useRendering } from 'portolan/rendering/context.ts';
import { Button } from 'portolan/ui/button/button.tsx';
import { Icon } from 'portolan/ui/icon/icon.tsx';
import { Link } from 'portolan/ui/link/link.tsx';
import { Phone } from 'portolan/ui/phone/phone.tsx';
import { Picture } from 'portolan/ui/picture/picture.tsx';
import { Section } from 'portolan/ui/section/section.tsx';
import type { LocalBusiness, Thing } from 'schema-dts';
import styles from './branch.layout.module.css';
import { textsFor } from './texts.ts';
import { Timetable } from './timetable.tsx';
import type { BranchFields, Hours } from './types.ts';

/** The branch and its directions, then its opening hours. */
export function Opening({ page }: LayoutProps<BranchFields>) {
  const { hyphenate, lang } = useRendering();
  const { summary, address, phone, email, directions, picture, hours, closedOn, timeZone } = page.fields;
  const back = page.breadcrumb.at(-1);
  return (
    <>
      <Section tone="navy" anchor={null} className={styles.opening}>
        {back && (
          <p className={styles.back}>
            <Link to={back}>
              <Icon name="arrow-left" directional />
              {back.title}
            </Link>
          </p>
        )}
        <h1 className={styles.title}>{hyphenate(page.title)}</h1>
        <p className={styles.summary}>{summary}</p>
        {picture && <Picture picture={picture} className={styles.picture} eager />}
      </Section>
      <Section tone="paper" anchor={null} className={styles.visit}>
        <div className={styles.contact}>
          <address className={styles.address}>{address}</address>
          {phone && (
            <p>
              <Icon name="phone" /> <Phone number={phone} />
            </p>
          )}
          {email && (
            <p>
              <Icon name="mail" /> <a href={`mailto:${email}`}>{email}</a>
            </p>
          )}
          {directions && (
            <p className={styles.way}>
              <Button
                to={{ title: textsFor(lang).directions, href: directions, external: true, site: null, hreflang: null }}
                kind="quiet"
              />
            </p>
          )}
        </div>
        <div className={styles.hours}>
          <Timetable hours={hours} closedOn={closedOn} timeZone={timeZone} />
        </div>
      </Section>
    </>
  );
}

const SCHEMA_DAYS: Record<Hours['days'][number], string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** The branch as structured data for search engines, with its hours. */
export function describe(
  { title, fields, sharing }: PageOf<BranchFields>,
  url: string,
  { origin }: { origin: string },
): Thing[] {
  const branch: LocalBusiness = {
    '@type': 'LocalBusiness',
    name: title,
    description: fields.summary,
    url,
    address: fields.address.replaceAll('\n', ', '),
    ...(fields.phone && { telephone: fields.phone }),
    ...(fields.email && { email: fields.email }),
    ...(fields.directions && { hasMap: fields.directions }),
    ...(sharing.picture && { image: sharing.picture }),
    openingHoursSpecification: fields.hours.map(({ days, opens, closes }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: days.map((day) => `https://schema.org/${SCHEMA_DAYS[day]}` as 'https://schema.org/Monday'),
      opens,
      closes,
    })),
    parentOrganization: { '@id': `${origin}/#organization` },
  };
  return [branch];
}
