import { renderToStaticMarkup } from 'react-dom/server';
import { useRendering } from '../../rendering/context.ts';
import styles from './brand.module.css';

interface BrandProps {
  name: string;
  /** A page has it in both: ids in the drawing are the place's. */
  place: 'header' | 'footer';
}

/** The prefix of the logo's ids (`publisher/drawings.py`). */
const LOGO_ID = 'logo-';

/** The company's logo and name. In Latin letters on every site, never mirrored. */
export function Brand({ name, place }: BrandProps) {
  const { logo, nameBeside } = useRendering().brand;
  const hasName = nameBeside || logo === '';
  return (
    <span
      className={styles.brand}
      dir="ltr"
      lang="en"
      {...(hasName ? {} : { role: 'img', 'aria-label': name })}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the company's own drawing, which the publisher has cleaned
      dangerouslySetInnerHTML={{
        __html: logo.replaceAll(LOGO_ID, `${place}-${LOGO_ID}`) + (hasName ? renderToStaticMarkup(name) : ''),
      }}
    />
  );
}
