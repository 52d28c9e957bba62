import type { AnchorLink } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import styles from './anchor-menu.module.css';

/** Links to the sections of a long page, under the header. `watch-sections.part.ts` marks the section in view. */
export function AnchorMenu({ anchors }: { anchors: AnchorLink[] }) {
  const { t } = useRendering();
  return (
    <nav className={styles.menu} aria-label={t('onThisPage')} data-tone="navy" data-anchor-menu="">
      <ul>
        {anchors.map(({ anchor, title }) => (
          <li key={anchor}>
            <a href={`#${anchor}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
