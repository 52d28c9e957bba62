import type { PageData } from '../contract/types.ts';

type SharedPage = Pick<PageData, 'template' | 'head' | 'sharing'>;

/** The Open Graph values of the page itself. The others are the same for the whole site, or for every picture. */
const OWN: Record<string, (page: SharedPage) => (string | null)[]> = {
  'og:type': ({ template }) => [template === 'article' ? 'article' : 'website'],
  'og:title': ({ head }) => [head.title],
  'og:description': ({ head }) => [head.description],
  'og:url': ({ head }) => [head.canonical],
  'og:locale:alternate': ({ sharing }) => sharing.locales,
  'og:image': ({ sharing }) => [sharing.picture],
  'og:image:alt': ({ head, sharing }) => [sharing.picture && head.title],
};

export const OWN_PROPERTIES = Object.keys(OWN);

/** Each property with its content, in order. A property may occur several times or not at all. */
export function openGraph(page: SharedPage): [property: string, content: string][] {
  return Object.entries(OWN).flatMap(([property, read]) =>
    read(page).flatMap((content): [string, string][] => (content === null ? [] : [[property, content]])),
  );
}
