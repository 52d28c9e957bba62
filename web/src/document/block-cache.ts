import type { Part } from './part.tsx';

/**
 * HTML of blocks by what it is made of. When the menu or the footer changes, every page is rendered again,
 * and no block of any of them is another.
 */
export class BlockCache {
  private readonly parts = new Map<string, Part>();
  private size = 0;

  constructor(private readonly limit: number) {}

  get(key: string): Part | undefined {
    const part = this.parts.get(key);
    if (part) {
      // Taken out and put back, it is the youngest: a Map keeps the order in which keys came.
      this.parts.delete(key);
      this.parts.set(key, part);
    }
    return part;
  }

  set(key: string, part: Part): void {
    this.parts.set(key, part);
    this.size += key.length + part.html.length;
    for (const [oldest, { html }] of this.parts) {
      if (this.size <= this.limit) break;
      this.parts.delete(oldest);
      this.size -= oldest.length + html.length;
    }
  }
}
