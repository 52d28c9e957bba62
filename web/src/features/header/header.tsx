import type { HeaderKind, SharedData } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Brand } from '../../ui/brand/brand.tsx';
import { Icon } from '../../ui/icon/icon.tsx';
import { Link } from '../../ui/link/link.tsx';
import { VisitorPhone } from '../../ui/visitor-phone/visitor-phone.tsx';
import styles from './header.module.css';
import { HeaderMenuItem } from './header-menu-item.tsx';

interface HeaderProps {
  shared: SharedData;
  kind: HeaderKind;
  /** Path of the page where the header links to it, else empty. */
  current: string;
  /** Placeholder for the language switcher. Its place is kept on pages without one, because the next page may have one. */
  switcher: string;
}

/**
 * Logo, menu, contact, languages. The menu and each of its sub-menus are popovers: the browser opens and closes them,
 * also with Escape and a click elsewhere, and needs no script for it. Up to 960 px the whole menu is one popover; above
 * that it is always open. Hovering, arrow keys and the rest are handled by `submenus.ts`, `mobile-menu.ts` and
 * `runtime/parts/tabs.ts`.
 */
export function Header({ shared: { site, menu, contact, phones }, kind, current, switcher }: HeaderProps) {
  const { t } = useRendering();
  const isCurrent = contact.href === current ? 'page' : undefined;
  return (
    <header
      className={styles.header}
      data-tone="navy"
      data-header=""
      data-transparent={kind === 'transparent' ? '' : undefined}
    >
      <a className={styles.logo} href="/" aria-label={t('homePage', { company: site.company })}>
        <Brand name={site.company} place="header" />
      </a>
      <nav className={styles.menu} id="_menu" popover="auto" aria-label={t('mainMenu')} data-menu="">
        <ul>
          {menu.map((item) => (
            <HeaderMenuItem key={item.key} item={item} current={current} />
          ))}
        </ul>
        <p className={styles.reach}>
          <VisitorPhone phones={phones} />
          <Link to={contact} className={styles.contact} aria-current={isCurrent} />
        </p>
      </nav>
      <div className={styles.switcher} data-switcher-place="">
        {switcher}
      </div>
      <Link to={contact} className={styles.contact} aria-current={isCurrent}>
        <Icon name="mail" />
        <span>{contact.title}</span>
      </Link>
      <button
        className={styles.burger}
        type="button"
        popoverTarget="_menu"
        aria-expanded="false"
        aria-controls="_menu"
        aria-label={t('openMenu')}
        data-burger=""
        data-open={t('openMenu')}
        data-close={t('closeMenu')}
      >
        <Icon name="menu" />
        <Icon name="x" />
      </button>
    </header>
  );
}
