import type { HeaderKind, SharedData } from '../contract/types.ts';
import { ConsentBanner } from '../features/consent/consent-banner.tsx';
import { ConsentSettings } from '../features/consent/consent-settings.tsx';
import { Footer } from '../features/footer/footer.tsx';
import { Header } from '../features/header/header.tsx';
import { LanguageNotice } from '../features/language-notice/language-notice.tsx';
import { PageLoading } from '../features/page-loading/page-loading.tsx';
import { renderMarkup, type Surroundings } from './markup.tsx';

/**
 * Header and footer with two gaps: the language switcher and the main part are the page's. UTF-8, which is made once for
 * all pages.
 */
export interface Frame {
  beforeSwitcher: Buffer;
  beforeMain: Buffer;
  afterMain: Buffer;
}

const SWITCHER = '\u0001switcher\u0001';
const MAIN = '\u0001main\u0001';

/**
 * Rendered once per shared data, kind of header and current link.
 * `current` is the page's path where the frame links to it, else empty.
 */
export function renderFrame(shared: SharedData, kind: HeaderKind, current: string, surroundings: Surroundings): Frame {
  const { html, islands } = renderMarkup(
    <>
      <a href="#_main" data-skip="">
        {surroundings.t('skipToContent')}
      </a>
      <ConsentBanner shared={shared} />
      <Header shared={shared} kind={kind} current={current} switcher={SWITCHER} />
      {MAIN}
      <Footer shared={shared} current={current} />
      <ConsentSettings shared={shared} />
      {shared.site.international && <LanguageNotice />}
      <PageLoading />
    </>,
    surroundings,
  );
  if (islands.length > 0) throw new Error('The frame stays while pages change: it has parts, and no islands.');
  const [beforeSwitcher, rest, ...more] = html.split(SWITCHER);
  const [beforeMain, afterMain] = rest?.split(MAIN) ?? [];
  if (beforeSwitcher === undefined || beforeMain === undefined || afterMain === undefined || more.length > 0) {
    throw new Error('The header has to place the language switcher exactly once.');
  }
  return {
    beforeSwitcher: Buffer.from(beforeSwitcher),
    beforeMain: Buffer.from(beforeMain),
    afterMain: Buffer.from(afterMain),
  };
}

/** Paths of the own site that the frame links to: only these can be its current link. */
export function framePaths(shared: SharedData): Set<string> {
  const menu = shared.menu.flatMap((item) => [
    item.to,
    item.parentLink,
    ...item.submenu.flatMap(({ url, linkList }) => [url, ...linkList]),
  ]);
  const footer = shared.footer.flatMap((group) => group.links.map(({ link }) => link));
  const links = [...menu, shared.contact, ...footer, ...shared.legalLinks];
  return new Set(links.flatMap((link) => (link?.href.startsWith('/') ? [link.href] : [])));
}
