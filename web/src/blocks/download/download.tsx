import type { BlockOf } from '../../contract/types.ts';
import { printFileSize } from '../../domain/file-size.ts';
import { useRendering } from '../../rendering/context.ts';
import { Icon } from '../../ui/icon/icon.tsx';
import { Section, SectionHead } from '../../ui/section/section.tsx';
import styles from './download.module.css';

export function Download({ tone, anchor, title, text, document: { url, kind, size }, linkTitle }: BlockOf<'download'>) {
  const { dateLocale } = useRendering();
  return (
    <Section tone={tone} anchor={anchor}>
      <SectionHead title={title} text={text} />
      <a className={styles.file} href={url} download="">
        <Icon name="download" />
        <span>{linkTitle}</span>{' '}
        <small>
          <bdi>{kind.toUpperCase()}</bdi> · <bdi>{printFileSize(size, dateLocale)}</bdi>
        </small>
      </a>
    </Section>
  );
}
