import type {
  ArticleFacts,
  Block,
  BlueprintFacts,
  EventFacts,
  Link as LinkData,
  PageContent,
  Picture as PictureData,
} from '../../contract/types.ts';
import { printDays } from '../../domain/dates.ts';
import { EventPlace } from '../../features/events/event-place.tsx';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section } from '../../ui/section/section.tsx';
import { layoutOf } from '../of-plugins.ts';
import styles from './opening.module.css';
import { Register } from './register.tsx';
import { ViewCount } from './view-count.tsx';

type OpenedFacts = ArticleFacts | BlueprintFacts | EventFacts;

/** Returns whether the page type has an opening above its blocks: a link back to the list, and the content of the page's card. */
export function hasOpening(page: PageContent): boolean {
  if (page.facts === null) return layoutOf(page)?.Opening !== undefined;
  return page.facts.family !== 'case-study';
}

/** The blocks below the opening: a hero without a picture has the card's, as decoration. */
export function openedBlocks({ facts, blocks }: PageContent): Block[] {
  const [first, ...others] = blocks;
  if (facts === null || facts.family === 'case-study' || first?.type !== 'hero' || first.picture) return blocks;
  return [{ ...first, picture: { ...pictureOf(facts), alt: '' } }, ...others];
}

/** The beginning of an article, a blueprint or an event. Where the editor wrote a hero, that has the title and the picture. */
export function Opening({ page }: { page: PageContent }) {
  const { hyphenate } = useRendering();
  const OfPlugin = layoutOf(page)?.Opening;
  if (OfPlugin) return <OfPlugin page={page} />;
  const { facts, breadcrumb, blocks } = page;
  if (facts === null || facts.family === 'case-study') return null;
  const back = <Back to={breadcrumb.at(-1)} />;
  const [first] = blocks;
  if (first?.type === 'hero') {
    return (
      <Section tone={first.tone} anchor={null} className={styles.line}>
        <div className={styles.bar}>
          {back}
          <Facts facts={facts} />
          <Register facts={facts} kind="quiet" />
        </div>
      </Section>
    );
  }
  return (
    <Section tone="navy" anchor={null} className={styles.opening}>
      {back}
      <h1 className={styles.title}>{hyphenate(facts.title)}</h1>
      <Facts facts={facts} />
      <p className={styles.summary}>{facts.summary}</p>
      <Register facts={facts} kind="signal" />
      <Picture picture={pictureOf(facts)} className={styles.picture} eager />
    </Section>
  );
}

/** The way back to the list the page is in. */
function Back({ to }: { to: LinkData | undefined }) {
  if (!to) return null;
  return (
    <p className={styles.back}>
      <Link to={to}>
        <Icon name="arrow-left" directional />
        {to.title}
      </Link>
    </p>
  );
}

function pictureOf(facts: OpenedFacts): PictureData {
  return facts.family === 'article' ? facts.previewImage : facts.cover;
}

function Facts({ facts }: { facts: OpenedFacts }) {
  const { dateLocale } = useRendering();
  if (facts.family === 'event') {
    return (
      <p className={styles.facts}>
        <time dateTime={facts.start}>{printDays(facts.start, facts.end, dateLocale)}</time>
        <span>
          <Icon name={facts.city ? 'map-pin' : 'globe'} />
          <EventPlace city={facts.city} country={facts.country} />
        </span>
      </p>
    );
  }
  return (
    <p className={styles.facts}>
      <time dateTime={facts.date}>{printDays(facts.date, facts.date, dateLocale)}</time>
      <ViewCount id={facts.id} family={facts.family} />
    </p>
  );
}
