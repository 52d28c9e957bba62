import type { Part } from './part.tsx';

interface Entry {
  /** All that the part was made of: another source, another part. */
  source: string;
  part: Part;
}

/**
 * The last HTML of each block. When the menu or the footer changes, every page is rendered again, and no block of any of
 * them is another. Kept by the block's id, since long keys cost a third of what they save.
 */
export class BlockCache {
  private readonly entries = new Map<string, Entry>();
  private size = 0;

  /** `limit`: characters of sources and HTML that are kept; the blocks not asked for the longest go first. */
  constructor(private readonly limit: number) {}

  get(id: string, source: string): Part | undefined {
    const entry = this.entries.get(id);
    if (entry?.source !== source) return undefined;
    // Taken out and put back, it is the youngest: a Map keeps the order in which keys came.
    this.entries.delete(id);
    this.entries.set(id, entry);
    return entry.part;
  }

  set(id: string, source: string, part: Part): void {
    this.remove(id);
    this.entries.set(id, { source, part });
    this.size += source.length + part.html.length;
    for (const oldest of this.entries.keys()) {
      if (this.size <= this.limit) break;
      this.remove(oldest);
    }
  }

  private remove(id: string): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.delete(id);
    this.size -= entry.source.length + entry.part.html.length;
  }
}
