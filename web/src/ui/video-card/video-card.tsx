import type { Video } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../icon/icon.tsx';
import { Picture } from '../picture/picture.tsx';
import styles from './video-card.module.css';

/** A video of another host. The host gets no request before the visitor starts the video. */
export const PLAYER = 'https://www.youtube-nocookie.com/embed/';

interface VideoCardProps {
  video: Video;
  /** A short, which is higher than it is wide. */
  portrait?: boolean;
}

/** A video's cover and title. A link for those without scripts; `features/videos/play-video.part.ts` plays it in the page. */
export function VideoCard({ video: { title, cover, videoId, film }, portrait = false }: VideoCardProps) {
  const { t } = useRendering();
  return (
    <a
      className={styles.video}
      href={film?.url ?? PLAYER + videoId}
      target="_blank"
      rel="nofollow noopener"
      data-video={film ? 'own' : videoId}
      data-close={t('close')}
      data-portrait={portrait ? '' : undefined}
    >
      <span className={styles.cover}>
        <Picture picture={{ ...cover, alt: '' }} />
        <span className={styles.play}>
          <Icon name="play" />
        </span>
      </span>
      {title}
    </a>
  );
}
