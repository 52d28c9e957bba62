import type { HeaderKind, Link as LinkData, MenuItem, SharedData } from '../../contract/index.ts';
import { useRendering } from '../../rendering/context.ts';
import { Brand } from '../../ui/brand/brand.tsx';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import styles from './header.module.css';

interface HeaderProps {
  shared: SharedData;
  kind: HeaderKind;
  /** Path of the page where the header links to it, else empty. */
  current: string;
  /** What stands where the language switcher goes. */
  switcher: string;
}

/**
 * Logo, menu, contact, languages. The menu and each of its sub-menus are popovers: the browser opens and closes them,
 * also with Escape and a click elsewhere, and needs no script for it. Up to 960 px the whole menu is one, above it stands open.
 */
export function Header({ shared: { site, menu, contact }, kind, current, switcher }: HeaderProps) {
  const { t } = useRendering();
  return (
    <header className={styles.header} data-tone="navy" data-transparent={kind === 'transparent' ? '' : undefined}>
      <a className={styles.logo} href="/" aria-label={t('homePage', { company: site.company })}>
        <Brand name={site.company} />
      </a>
      <nav className={styles.menu} id="menu" popover="auto" aria-label={t('mainMenu')}>
        <ul>
          {menu.map((item) => (
            <li key={item.key}>
              <Entry item={item} current={current} />
            </li>
          ))}
        </ul>
      </nav>
      {switcher}
      <Link to={contact} className={styles.contact}>
        <Icon name="mail" />
        <span>{contact.title}</span>
      </Link>
      <button className={styles.burger} type="button" popoverTarget="menu" aria-label={t('menu')} data-burger="">
        <Icon name="menu" />
        <Icon name="x" />
      </button>
    </header>
  );
}

function Entry({ item: { key, title, to, submenu }, current }: { item: MenuItem; current: string }) {
  if (submenu.length === 0) return to && <MenuLink to={to} current={current} title={title} />;
  const id = `menu-${key}`;
  return (
    <>
      <button type="button" popoverTarget={id}>
        {title}
        <Icon name="chevron-down" />
      </button>
      <div className={styles.panel} id={id} popover="auto">
        <button type="button" popoverTarget={id} popoverTargetAction="hide">
          <Icon name="arrow-right" directional />
          {title}
        </button>
        <ul>
          {submenu.map((entry) => (
            <li key={entry.title}>
              <MenuLink to={entry.link} current={current} title={entry.title} description={entry.description} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

interface MenuLinkProps {
  to: LinkData;
  current: string;
  title: string;
  description?: string;
}

function MenuLink({ to, current, title, description }: MenuLinkProps) {
  return (
    <Link to={to} aria-current={to.href === current ? 'page' : undefined}>
      {description ? (
        <>
          <b>{title}</b> {description}
        </>
      ) : (
        title
      )}
    </Link>
  );
}
