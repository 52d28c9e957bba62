import type { PageData } from '../contract/types.ts';

type SharedPage = Pick<PageData, 'template' | 'head' | 'sharing'>;

/** What of its Open Graph a page says itself. The rest is its site's, or the same for every picture. */
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

/** Each property with its content, in order; one may stand there more than once, or not at all. */
export function openGraph(page: SharedPage): [property: string, content: string][] {
  return Object.entries(OWN).flatMap(([property, read]) =>
    read(page).flatMap((content): [string, string][] => (content === null ? [] : [[property, content]])),
  );
}
