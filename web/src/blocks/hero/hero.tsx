import type { BlockOf } from '../../contract/types.ts';
import { Motif } from '../../features/motif/motif.tsx';
import { useRendering } from '../../rendering/context.ts';
import { Actions } from '../../ui/button/button.tsx';
import { Picture } from '../../ui/picture/picture.tsx';
import { Section } from '../../ui/section/section.tsx';
import { VisitorPhone } from '../../ui/visitor-phone/visitor-phone.tsx';
import styles from './hero.module.css';

/**
 * The page's opening: its h1 on the page's own chart. A decorative image replaces the chart; an image with a meaning is
 * below. A video replaces the image once the page has loaded (`features/videos/play-film.part.ts`).
 * Heroes of releases from before phones were added have none.
 */
export function Hero({ tone, anchor, eyebrow, title, text, actions, phones = [], picture, film }: BlockOf<'hero'>) {
  const { motif, prefix, hyphenate, t } = useRendering();
  return (
    <Section tone={tone} anchor={anchor} className={styles.hero}>
      {picture && !picture.alt ? (
        <Picture picture={picture} className={picture.vector ? styles.drawing : styles.scene} eager />
      ) : (
        <Motif seed={motif} id={`${prefix}coast`} />
      )}
      {eyebrow && <p className={styles.eyebrow}>{eyebrow}</p>}
      <h1 className={styles.title}>{hyphenate(title)}</h1>
      {text && <p className={styles.text}>{text}</p>}
      {actions.length + phones.length > 0 && (
        <Actions links={actions}>
          <VisitorPhone phones={phones} />
        </Actions>
      )}
      {picture?.alt && <Picture picture={picture} className={styles.plate} eager />}
      {film && picture && !picture.alt && (
        <button
          type="button"
          hidden
          className={styles.pause}
          data-film={film.url}
          data-pause={t('pauseFilm')}
          data-play={t('playFilm')}
        >
          {t('pauseFilm')}
        </button>
      )}
      <span className={styles.end} hidden />
    </Section>
  );
}
