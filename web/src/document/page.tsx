import { type ComponentType, createElement } from 'react';
import { BLOCKS } from '../blocks/blocks.tsx';
import type { Block, IslandData, PageContent, PageData, SharedData } from '../contract/types.ts';
import { LanguageSwitcher } from '../features/header/language-switcher/language-switcher.tsx';
import { Closing, closingPlace, hasClosing } from '../layouts/closing.tsx';
import { Guides, hasGuides } from '../layouts/guides.tsx';
import { hasOpening, Opening, openedBlocks } from '../layouts/opening/opening.tsx';
import { createTranslate, type Translate } from '../locales/catalog.ts';
import { Island } from '../rendering/island.tsx';
import type { Assets } from './assets.ts';
import { buildDocument, openMain, type PageDocument, readOwnParts } from './document.tsx';
import { escapeJson } from './escape-json.ts';
import { lettersOf } from './fonts.ts';
import { type Frame, framePaths, renderFrame } from './frame.tsx';
import type { DocumentPage } from './head.tsx';
import { type Markup, renderMarkup, type Surroundings } from './markup.tsx';
import { structuredData } from './structured-data.ts';

export interface RenderedPage {
  document: PageDocument;
  /** `PageData` as JSON, in pieces like the document. */
  pageData: string[];
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

/** Renders the pages of sites that share data under a hash. Pure: a page comes out the same whatever was rendered before. */
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

  /**
   * The page in the frame of other shared data, from what was rendered of it: nothing of its own is rendered again. It comes
   * out as `render` would make it, unless it is a home page (its structured data tell of the offices) or the shared data
   * differ in what parts of a page depend on (`surroundings`).
   */
  splice(html: string, pageData: string, sharedHash: string): RenderedPage {
    return this.site(sharedHash).splice(html, pageData);
  }

  private site(sharedHash: string): SiteRenderer {
    const site = this.sites.get(sharedHash);
    if (!site) throw new Error(`Shared data ${sharedHash} is not here; send it before the pages that use it.`);
    return site;
  }
}

/** Of the ids of islands in the frame. */
const FRAME_PREFIX = 'frame-';
const MAIN_JSON_BEGIN = '{"html":"';

/** What a page has of its own, rendered: the same in every frame. */
interface OwnParts {
  page: DocumentPage;
  main: string[];
  /** HTML of the page's parts, each as the inside of a JSON string. */
  mainJson: string[];
  switcher: string;
  islands: IslandData[];
}

class SiteRenderer {
  private readonly frames = new Map<string, Frame>();
  private readonly framePaths: Set<string>;
  private readonly t: Translate;
  private readonly fonts: string[];

  constructor(
    private readonly hash: string,
    private readonly shared: SharedData,
    private readonly assets: Assets,
  ) {
    this.framePaths = framePaths(shared);
    this.t = createTranslate(shared.site.lang);
    this.fonts = assets.fonts[lettersOf(shared.site.lang)];
  }

  render(page: PageContent): RenderedPage {
    const opening = hasOpening(page) ? [this.renderOpening(page)] : [];
    const blocks = openedBlocks(page).map((block, index) => this.renderBlock(block, index, page));
    const anchors = anchorsShown(page, blocks);
    const guides = hasGuides({ ...page, anchors }) ? [this.renderGuides({ ...page, anchors })] : [];
    const closing = hasClosing(page) ? [this.renderClosing(page)] : [];
    const end = closingPlace(page.blocks);
    const parts = [...guides, ...opening, ...blocks.slice(0, end), ...closing, ...blocks.slice(end)];
    const main = parts.map((part) => part.html);
    const switcher = this.renderSwitcher(page);
    const { path, template, header, head, sharing } = page;
    const about = structuredData(page, this.shared);
    return this.putTogether({
      page: { path, template, header, head, sharing, about: about === null ? '' : escapeJson(about) },
      main: [openMain(template), ...main],
      mainJson: main.map((html) => JSON.stringify(html).slice(1, -1)),
      switcher: switcher.html,
      islands: [...switcher.islands, ...parts.flatMap((part) => part.islands)],
    });
  }

  splice(html: string, pageData: string): RenderedPage {
    const { main, about } = readOwnParts(html);
    const { mainJson, rest } = readPageData(pageData);
    const { path, template, header, head, sharing, switcher, islands } = rest;
    return this.putTogether({
      page: { path, template, header, head, sharing, about },
      main: [main],
      mainJson: [mainJson],
      switcher,
      islands: islands.filter(({ id }) => !id.startsWith(FRAME_PREFIX)),
    });
  }

  private putTogether({ page, main, mainJson, switcher, islands: own }: OwnParts): RenderedPage {
    const { shared, assets, fonts } = this;
    const frame = this.frame(page);
    const islands = [...frame.islands, ...own];
    const preload = chunksOf(islands, assets);
    const hashes = { build: assets.build, shared: this.hash };
    const document = buildDocument({
      page,
      shared,
      frame,
      main,
      switcher,
      islands: { preload, islands },
      assets,
      hashes,
      fonts,
    });
    const { about: _, ...known } = page;
    return { document, pageData: buildPageData({ ...known, switcher, islands, preload, ...hashes }, mainJson) };
  }

  private frame(page: DocumentPage): Frame {
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

  private renderGuides({ template, anchors }: PageContent): Markup {
    const surroundings = this.surroundings({ prefix: 'guides-', motif: 0, position: -1 });
    return renderMarkup(<Guides template={template} anchors={anchors} />, surroundings);
  }

  private renderOpening(page: PageContent): Markup {
    return renderMarkup(
      <Opening page={page} />,
      this.surroundings({ prefix: 'opening-', motif: page.motif, position: -1 }),
    );
  }

  private renderClosing(page: PageContent): Markup {
    const surroundings = this.surroundings({ prefix: 'closing-', motif: page.motif, position: page.blocks.length });
    return renderMarkup(<Closing page={page} />, surroundings);
  }

  private renderBlock(block: Block, index: number, page: PageContent): Markup {
    const pageUrl = page.head.canonical ?? '';
    const surroundings = this.surroundings({ prefix: `b${index}-`, motif: page.motif, position: index, pageUrl });
    try {
      return renderMarkup(blockElement(block), surroundings);
    } catch (error) {
      throw new BlockError(index, block.type, error);
    }
  }

  /** An island of the frame whose links are the page's. */
  private renderSwitcher({ switcher }: PageContent): Markup {
    if (switcher.length === 0) return { html: '', islands: [] };
    const props = {
      label: this.t('chooseLanguage'),
      links: switcher.map(({ label, code, lang, hreflang, href, current }) => ({
        label,
        code,
        lang,
        hreflang,
        href,
        current,
      })),
    };
    const island = (
      <Island name="language-switcher" id="language-switcher" component={LanguageSwitcher} props={props} />
    );
    return renderMarkup(island, this.surroundings({ prefix: 'frame-', motif: 0, position: -1 }));
  }

  private surroundings(
    own: Pick<Surroundings, 'prefix' | 'motif' | 'position'> & Partial<Pick<Surroundings, 'pageUrl'>>,
  ): Surroundings {
    const { captcha, headquarters, site } = this.shared;
    const { lang, dir, dateLocale } = site;
    return { lang, dir, dateLocale, captcha, headquarters, t: this.t, pageUrl: '', ...own };
  }
}

/** A block with nothing to show is left out, also from the anchor menu. */
function anchorsShown({ anchors, blocks }: PageContent, parts: Markup[]): PageContent['anchors'] {
  const missing = blocks.filter((_, index) => parts[index]?.html === '').map(({ anchor }) => anchor);
  return missing.length === 0 ? anchors : anchors.filter(({ anchor }) => !missing.includes(anchor));
}

/** Files the islands of a page need before they are touched, each once. */
function chunksOf(islands: IslandData[], assets: Assets): string[] {
  const early = islands.filter(({ name }) => !assets.atFirstTouch.includes(name));
  return [...new Set(early.flatMap((island) => assets.islands[island.name] ?? []))];
}

/** JSON put together by hand, so that the HTML of each block is written as the piece it is. */
function buildPageData(rest: Omit<PageData, 'html'>, mainJson: string[]): string[] {
  return [MAIN_JSON_BEGIN, ...mainJson, '",', JSON.stringify(rest).slice(1)];
}

/** What `buildPageData` has put together; the main part stays the JSON that it is. */
function readPageData(pageData: string): { mainJson: string; rest: Omit<PageData, 'html'> } {
  // Within a string, a quotation mark would be escaped.
  const end = pageData.indexOf('","path":');
  if (!pageData.startsWith(MAIN_JSON_BEGIN) || end < 0) throw new Error('What is stored as page data is none of ours.');
  return {
    mainJson: pageData.slice(MAIN_JSON_BEGIN.length, end),
    rest: JSON.parse(`{${pageData.slice(end + '",'.length)}`),
  };
}

function blockElement(block: Block) {
  // The list pairs each type with its component; that the two belong together is lost once the type is a variable.
  const component = BLOCKS[block.type] as ComponentType<Block> | undefined;
  if (!component) throw new Error('the web build has no component for this type');
  return createElement(component, block);
}
