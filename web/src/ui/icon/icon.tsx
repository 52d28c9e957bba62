import styles from './icon.module.css';
import sprite from './icons.svg?no-inline';

interface IconProps {
  /** Id of a symbol in icons.svg: a Lucide name or a social network. */
  name: string;
  /** An icon that shows a direction of reading looks the other way in Arabic. */
  directional?: boolean;
}

/** Decoration next to a text: hidden from screen readers. */
export function Icon({ name, directional }: IconProps) {
  return (
    <svg className={directional ? styles.directional : styles.icon} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
