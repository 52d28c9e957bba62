import type { ReactNode } from 'react';
import type { Link as LinkData, Picture as PictureData } from '../../contract/types.ts';
import { Link } from '../link/link.tsx';
import { Picture } from '../picture/picture.tsx';
import styles from './picture-card.module.css';

interface PictureCardProps {
  picture: PictureData;
  /** Where the whole card leads. */
  to: LinkData;
  /** Small, above the title: whose it is, or when it was. */
  kicker: ReactNode;
  text: string;
  /** In a long list: on narrow screens the image is small and next to the text. */
  dense?: boolean;
  /** Small, below the text. */
  children?: ReactNode;
}

/** A page of ours in a list of its kind. Also rendered in the browser, so it uses no page context. */
export function PictureCard({ picture, to, kicker, text, dense = false, children }: PictureCardProps) {
  return (
    <article className={styles.card} data-dense={dense ? '' : undefined}>
      <h3>
        <Link to={to} />
      </h3>
      <p className={styles.kicker}>{kicker}</p>
      <p>{text}</p>
      {children}
      <Picture picture={picture} className={styles.picture} />
    </article>
  );
}

/** Cards in rows: one, two or three side by side. */
export const cardGrid = styles.grid;
