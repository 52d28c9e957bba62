import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { BLOCKS } from '../blocks/blocks.tsx';
import type { Block, IslandData, PageContent, PageData, SharedData } from '../contract/types.ts';
import { FallbackNotice, needsNotice } from '../features/fallback-notice/fallback-notice.tsx';
import { LanguageSwitcher } from '../features/header/language-switcher/language-switcher.tsx';
import { Closing, closingPlace, hasClosing } from '../layouts/closing.tsx';
import { Guides, hasGuides } from '../layouts/guides.tsx';
import { requireLayout } from '../layouts/of-plugins.ts';
import { hasOpening, Opening, openedBlocks } from '../layouts/opening/opening.tsx';
import { createTranslate } from '../locales/catalog.ts';
import type { Assets } from './assets.ts';
import { buildDocument, endOf, openMain, type PageDocument, type Piece } from './document.tsx';
import { escapeJson } from './escape-json.ts';
import { lettersOf } from './fonts.ts';
import { type Frame, framePaths, renderFrame } from './frame.tsx';
import { type DocumentPage, visitorJson } from './head.tsx';
import { makeHyphenate } from './hyphens.ts';
import { type Markup, renderMarkup, type Surroundings } from './markup.tsx';
import { buildPageData, takeDocumentApart, takePageDataApart } from './splice.ts';
import { structuredData } from './structured-data.ts';

export interface RenderedPage<Part extends Piece = string> {
  document: PageDocument<Part>;
  /** `PageData` as JSON, in pieces like the document. */
  pageData: (Part | string)[];
}

/** A block could not be rendered. Names the block, so that an editor can find it. */
export class BlockError extends Error {
  override name = 'BlockError';

  constructor(
    /** Place in the page, from 0. */
    readonly index: number,
    readonly type: string,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Renders the pages of sites that share data under a hash. Pure: a page does not depend on earlier ones. */
export class PageRenderer {
  private readonly sites = new Map<string, SiteRenderer>();

  constructor(
    private readonly assets: Assets,
    /** Number of sets of shared data that are kept: one for each site, and an old one while a new one comes. */
    private readonly keep = 32,
  ) {}

  addShared(hash: string, shared: SharedData): void {
    this.sites.delete(hash);
    this.sites.set(hash, new SiteRenderer(hash, shared, this.assets));
    for (const oldest of this.sites.keys()) {
      if (this.sites.size <= this.keep) break;
      this.sites.delete(oldest);
    }
  }

  render(page: PageContent, sharedHash: string): RenderedPage {
    return this.site(sharedHash).render(page);
  }

  /** A page for editors: each element has the id of its block. */
  renderDraft(page: PageContent, sharedHash: string): RenderedPage {
    return this.site(sharedHash).render(page, markBlock);
  }

  /**
   * Puts the stored parts of a page into the frame of other shared data, without rendering the page again. The result refers to
   * the given bytes.
   *
   * It equals the result of `render`, with two exceptions: a home page (its structured data contain the offices), and shared
   * data that differ in `surroundings`.
   */
  splice(html: Buffer, pageData: Buffer, sharedHash: string): RenderedPage<Piece> {
    return this.site(sharedHash).splice(html, pageData);
  }

  private site(sharedHash: string): SiteRenderer {
    const site = this.sites.get(sharedHash);
    if (!site) throw new Error(`Shared data ${sharedHash} is not here; send it before the pages that use it.`);
    return site;
  }
}

/** The language of texts, and everything that follows from it. */
type Language = Pick<Surroundings, 'lang' | 'dir' | 'dateLocale' | 't' | 'hyphenate'>;

/** Of ids in the frame. */
const FRAME_PREFIX = 'frame_';
class SiteRenderer {
  private readonly frames = new Map<string, Frame>();
  private readonly framePaths: Set<string>;
  private readonly language: Language;
  private readonly fonts: string[];
  private readonly visitor: string;
  private readonly hashes: Pick<PageData, 'build' | 'shared'>;

  constructor(
    private readonly hash: string,
    private readonly shared: SharedData,
    private readonly assets: Assets,
  ) {
    this.framePaths = framePaths(shared);
    this.language = makeLanguage(shared.site, shared.words);
    this.fonts = assets.fonts[lettersOf(shared.site.lang)];
    this.visitor = visitorJson(shared);
    this.hashes = { build: assets.build, shared: hash };
  }

  render(page: PageContent, mark = asItIs): RenderedPage {
    requireLayout(page);
    const opening = hasOpening(page) ? [this.renderOpening(page)] : [];
    const blocks = openedBlocks(page).map((block, index) => mark(this.renderBlock(block, index, page), block));
    const anchors = anchorsShown(page, blocks);
    const guides = hasGuides({ ...page, anchors }) ? [this.renderGuides({ ...page, anchors })] : [];
    const closing = hasClosing(page) ? [this.renderClosing(page)] : [];
    const end = closingPlace(page.blocks);
    const parts = [...guides, ...opening, ...blocks.slice(0, end), ...closing, ...blocks.slice(end)];
    const main = this.aroundMain(
      page,
      parts.map((part) => part.html),
    );
    const switcher = this.renderSwitcher(page);
    const { path, template, header, head, sharing } = page;
    const about = page.fallback ? null : structuredData(page, this.shared);
    const known = {
      path,
      template,
      header,
      head,
      sharing,
      ...(page.fallback && { fallback: page.fallback.lang }),
    };
    const frame = this.frame(known);
    const own = parts.flatMap((part) => part.islands);
    const islands = { preload: chunksOf(own, this.assets), islands: own };
    const document = buildDocument({
      page: { ...known, about: about === null ? '' : escapeJson(about) },
      shared: this.shared,
      frame,
      main: [openMain(template), ...main],
      switcher: switcher,
      islands,
      assets: this.assets,
      hashes: this.hashes,
      fonts: this.fonts,
    });
    const mainJson = main.map((html) => JSON.stringify(html).slice(1, -1));
    return {
      document,
      pageData: buildPageData({ ...known, switcher: switcher, ...islands, ...this.hashes }, mainJson),
    };
  }

  splice(html: Buffer, pageData: Buffer): RenderedPage<Piece> {
    const { start, main } = takeDocumentApart(html, { hash: this.hash, visitor: this.visitor });
    const { mainJson, rest } = takePageDataApart(pageData);
    const frame = this.frame(rest);
    return {
      document: { start, frame, switcher: rest.switcher, main: [main], end: endOf(rest, this.shared) },
      pageData: buildPageData({ ...rest, ...this.hashes }, [mainJson]),
    };
  }

  private frame(page: Pick<DocumentPage, 'path' | 'header'>): Frame {
    const current = this.framePaths.has(page.path) ? page.path : '';
    const key = `${page.header} ${current}`;
    let frame = this.frames.get(key);
    if (!frame) {
      frame = renderFrame(
        this.shared,
        page.header,
        current,
        this.surroundings({ prefix: FRAME_PREFIX, motif: 0, position: -1 }),
      );
      this.frames.set(key, frame);
    }
    return frame;
  }

  /** Marks the main part of a page in another language, below a notice in the site's language. */
  private aroundMain({ fallback }: PageContent, main: string[]): string[] {
    if (!fallback) return main;
    const { lang, dir } = fallback;
    const surroundings = this.surroundings({ prefix: 'fallback_', motif: 0, position: -1 });
    const notice = needsNotice(this.shared.site.lang, lang)
      ? [renderMarkup(<FallbackNotice lang={lang} />, surroundings).html]
      : [];
    return [...notice, `<div lang="${lang}" dir="${dir}">`, ...main, '</div>'];
  }

  private renderGuides(page: PageContent): Markup {
    const { template, anchors } = page;
    const surroundings = this.surroundings({ prefix: 'guides_', motif: 0, position: -1 }, page);
    return renderMarkup(<Guides template={template} anchors={anchors} />, surroundings);
  }

  private renderOpening(page: PageContent): Markup {
    return renderMarkup(
      <Opening page={page} />,
      this.surroundings({ prefix: 'opening_', motif: page.motif, position: -1 }, page),
    );
  }

  private renderClosing(page: PageContent): Markup {
    const position = page.blocks.length;
    const surroundings = this.surroundings({ prefix: 'closing_', motif: page.motif, position }, page);
    return renderMarkup(<Closing page={page} />, surroundings);
  }

  private renderBlock(block: Block, index: number, page: PageContent): Markup {
    const pageUrl = page.head.canonical ?? '';
    const own = { prefix: `b${index}_`, motif: page.motif, position: index, pageUrl };
    const surroundings = this.surroundings(own, page);
    try {
      return renderMarkup(blockElement(block), surroundings);
    } catch (error) {
      throw new BlockError(index, block.type, error);
    }
  }

  /** Part of the frame, but its links belong to the page. */
  private renderSwitcher({ switcher }: PageContent): string {
    if (switcher.length === 0) return '';
    const links = switcher.map(({ label, code, lang, hreflang, href, current }) => ({
      label,
      code,
      lang,
      hreflang,
      href,
      current,
    }));
    return renderToStaticMarkup(<LanguageSwitcher label={this.language.t('chooseLanguage')} links={links} />);
  }

  private surroundings(
    own: Pick<Surroundings, 'prefix' | 'motif' | 'position'> & Partial<Pick<Surroundings, 'pageUrl'>>,
    { fallback }: Pick<PageContent, 'fallback'> = {},
  ): Surroundings {
    const { captcha, headquarters } = this.shared;
    return {
      ...(fallback ? makeLanguage(fallback) : this.language),
      brand: this.assets.brand,
      captcha,
      headquarters,
      pageUrl: '',
      ...own,
    };
  }
}

const languages = new Map<string, Language>();

function makeLanguage(
  { lang, dir, dateLocale }: Pick<Language, 'lang' | 'dir' | 'dateLocale'>,
  words?: SharedData['words'],
): Language {
  if (words) return { ...makeLanguage({ lang, dir, dateLocale }), t: createTranslate(lang, words) };
  const key = `${lang} ${dateLocale}`;
  const known = languages.get(key);
  if (known) return known;
  const made = { lang, dir, dateLocale, t: createTranslate(lang), hyphenate: makeHyphenate(lang) };
  languages.set(key, made);
  return made;
}

const asItIs = (markup: Markup, _block: Block): Markup => markup;

/** A block is one element, or none if it is empty. */
function markBlock({ html, islands }: Markup, { id }: Block): Markup {
  const value = id.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return { html: html.replace(/^<[a-z]+/, (begin) => `${begin} data-block="${value}"`), islands };
}

/** A block with nothing to show is left out, also from the anchor menu. */
function anchorsShown({ anchors, blocks }: PageContent, parts: Markup[]): PageContent['anchors'] {
  const missing = blocks.filter((_, index) => parts[index]?.html === '').map(({ anchor }) => anchor);
  return missing.length === 0 ? anchors : anchors.filter(({ anchor }) => !missing.includes(anchor));
}

/** Files the islands of a page need, each once. */
function chunksOf(islands: IslandData[], assets: Assets): string[] {
  return [...new Set(islands.flatMap((island) => assets.islands[island.name] ?? []))];
}

function blockElement(block: Block) {
  // The list pairs each type with its component; that the two belong together is lost once the type is a variable.
  const component = BLOCKS[block.type] as ComponentType<Block> | undefined;
  if (!component)
    throw new Error('the web build has no component for this type; if it is a plugin\'s, run "portolan build"');
  return createElement(component, block);
}
