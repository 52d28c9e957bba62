import type { MenuItem } from '../../contract/types.ts';
import { buildDatePatterns } from '../../domain/dates.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { VideoCard } from '../../ui/video-card/video-card.tsx';
import styles from './header.module.css';
import { MenuLink } from './menu-link.tsx';

type SubmenuItem = MenuItem['submenu'][number];

interface SubmenuProps {
  id: string;
  item: MenuItem;
  current: string;
}

/** The panel of a menu item. Its theme says how its items are shown (`options.theme`, spec §3). */
export function Submenu({ id, item: { title, submenu, parentLink, options }, current }: SubmenuProps) {
  return (
    <div className={styles.panel} id={id} popover="auto" data-panel={options.theme}>
      <button type="button" popoverTarget={id} popoverTargetAction="hide" data-back="">
        <Icon name="arrow-right" directional />
        {title}
      </button>
      {options.theme === 'tabs' ? (
        <div className={styles.tabs} data-tabs={title}>
          {submenu.map((item, index) => (
            <Tab key={item.title} id={`${id}-${index}`} item={item} current={current} />
          ))}
        </div>
      ) : (
        <ul className={options.theme === 'image-cards' ? styles.cards : styles.links}>
          {submenu.map((item) => (
            <li key={item.title}>
              {options.theme === 'image-cards' ? (
                <Card item={item} current={current} />
              ) : (
                <Text item={item} current={current} />
              )}
            </li>
          ))}
        </ul>
      )}
      {parentLink && (
        <p className={styles.parent}>
          <Link to={parentLink} aria-current={parentLink.href === current ? 'page' : undefined}>
            {parentLink.title}
            <Icon name="arrow-right" directional />
          </Link>
        </p>
      )}
    </div>
  );
}

interface ItemProps {
  item: SubmenuItem;
  current: string;
}

function Text({ item: { url, title, description }, current }: ItemProps) {
  return url && <MenuLink to={url} current={current} title={title} description={description} />;
}

function Card({ item: { url, title, description, img }, current }: ItemProps) {
  return (
    url && (
      <Link to={url} aria-current={url.href === current ? 'page' : undefined}>
        {img && <Picture picture={img} />}
        <b>{title}</b>
        {description}
      </Link>
    )
  );
}

/** Without scripts all tabs are visible next to one another; `runtime/parts/tabs.ts` turns them into a list of tabs. */
function Tab({
  id,
  item: { title, description, url, linkList, contentType, videos },
  current,
}: ItemProps & { id: string }) {
  return (
    <section className={styles.tab} id={id} data-tab={title}>
      <h3>{title}</h3>
      {description && <p>{description}</p>}
      {contentType === 'news' && <News />}
      {linkList.length > 0 && (
        <ul>
          {linkList.map((link) => (
            <li key={link.href}>
              <MenuLink to={link} current={current} title={link.title} />
            </li>
          ))}
        </ul>
      )}
      {videos.length > 0 && (
        <ul className={styles.videos}>
          {videos.map((video) => (
            <li key={video.id}>
              <VideoCard video={video} />
            </li>
          ))}
        </ul>
      )}
      {url && <MenuLink to={url} current={current} title={url.title} />}
    </section>
  );
}

/** Filled by `latest-news.ts` when it is shown for the first time. */
function News() {
  const { t, dateLocale } = useRendering();
  const texts = { loading: t('loadingNews'), failed: t('notLoaded'), retry: t('tryAgain') };
  return (
    <div
      className={styles.news}
      data-menu-news={JSON.stringify(texts)}
      data-dates={JSON.stringify(buildDatePatterns(dateLocale))}
    />
  );
}
