import type { BlockOf } from '../../contract/types.ts';
import { cardGrid } from '../../ui/picture-card/picture-card.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import { VideoCard } from '../../ui/video-card/video-card.tsx';
import styles from './videos.module.css';

export function Videos({ tone, anchor, title, text, kind, videos }: BlockOf<'videos'>) {
  if (videos.length === 0) return null;
  const isShort = kind === 'shorts';
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <ul className={isShort ? styles.shorts : cardGrid}>
        {videos.map((video) => (
          <li key={video.id}>
            <VideoCard video={video} portrait={isShort} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
