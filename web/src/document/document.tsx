import { renderToStaticMarkup } from 'react-dom/server';
import type { IslandData, PageContent, SharedData } from '../contract/index.ts';
import type { Assets } from './assets.ts';
import type { Frame } from './frame.tsx';
import { Head } from './head.tsx';

/** Cannot be in a head: a control character has no place in a title or a URL, and the last one is always ours. */
const BODY = '\u0001body\u0001';

interface DocumentParts {
  page: PageContent;
  shared: SharedData;
  frame: Frame;
  /** HTML of the blocks. */
  main: string[];
  /** HTML of the language switcher; empty where it is hidden. */
  switcher: string;
  islands: IslandData[];
  assets: Assets;
  /** Font files the page's script needs at once. */
  fonts: string[];
}

/** One whole page, in pieces: a head of its own, the site's frame, the blocks, and the props of what is interactive. */
export function buildDocument({
  page,
  shared,
  frame,
  main,
  switcher,
  islands,
  assets,
  fonts,
}: DocumentParts): string[] {
  const { site } = shared;
  const shell = renderToStaticMarkup(
    <html lang={site.lang} dir={site.dir} data-site={site.key}>
      <Head page={page} shared={shared} assets={assets} fonts={fonts} />
      <body>{BODY}</body>
    </html>,
  );
  const at = shell.lastIndexOf(BODY);
  return [
    '<!doctype html>',
    shell.slice(0, at),
    frame.beforeSwitcher,
    switcher,
    frame.beforeMain,
    `<main id="main" tabindex="-1" data-template="${page.template}">`,
    ...main,
    '</main>',
    frame.afterMain,
    islandsScript(islands, assets),
    shell.slice(at + BODY.length),
  ];
}

/** The props of all islands, and the files the loader may fetch before anybody asks. Nothing for a page without islands. */
function islandsScript(islands: IslandData[], assets: Assets): string {
  if (islands.length === 0) return '';
  const preload = [...new Set(islands.flatMap((island) => assets.islands[island.name] ?? []))];
  return `<script type="application/json" id="islands">${escapeJson({ preload, islands })}</script>`;
}

/** JSON that cannot end the script element it stands in, nor open a comment there. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
