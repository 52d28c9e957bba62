import type { MenuItem } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import styles from './header.module.css';
import { MenuLink } from './menu-link.tsx';
import { Submenu } from './submenu.tsx';

/** One item of the menu. With a page of its own and a sub-menu, the link and the button are two tab stops. */
export function HeaderMenuItem({ item, current }: { item: MenuItem; current: string }) {
  const { t } = useRendering();
  const { key, title, to, submenu } = item;
  if (submenu.length === 0) return <li>{to && <MenuLink to={to} current={current} title={title} />}</li>;
  const id = `_menu-${key}`;
  return (
    <li data-submenu={key}>
      <div className={styles.item}>
        {to && <MenuLink to={to} current={current} title={title} />}
        <button
          type="button"
          popoverTarget={id}
          aria-expanded="false"
          aria-controls={id}
          aria-label={to ? t('submenuOf', { title }) : undefined}
        >
          {!to && title}
          <Icon name="chevron-down" />
        </button>
      </div>
      <Submenu id={id} item={item} current={current} />
    </li>
  );
}
