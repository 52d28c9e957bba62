export interface MorePage<Item> {
  items: readonly Item[];
  next: number | null;
}

/**
 * Returns the next new items: at least `enough` of them, if there are so many. The order may have changed since the page was made,
 * so a page of the API may repeat visible items; further requests make up for it.
 */
export async function collectMore<Item extends { id: string }>(
  load: (at: number) => Promise<MorePage<Item>>,
  start: number,
  shown: ReadonlySet<string>,
  enough: number,
): Promise<MorePage<Item>> {
  const found = new Map<string, Item>();
  let next: number | null = start;
  while (next !== null && found.size < enough) {
    const page: MorePage<Item> = await load(next);
    for (const item of page.items) if (!shown.has(item.id)) found.set(item.id, item);
    next = page.next;
  }
  return { items: [...found.values()], next };
}
