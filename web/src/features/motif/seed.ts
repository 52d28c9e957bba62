/** The seed of a motif: a number of 32 bits, each page's own. */

/** The seed of the page at a path of the own site, as the publisher makes it (CRC-32 of the page key): a card has its page's motif. */
export function seedOfPath(path: string): number {
  const key = path.replace(/[?#].*$/, '').replace(/^\//, '') || 'home';
  let remainder = -1;
  for (const byte of UTF8.encode(key)) remainder = (remainder >>> 8) ^ (REMAINDERS[(remainder ^ byte) & 0xff] ?? 0);
  return ~remainder >>> 0;
}

const UTF8 = new TextEncoder();
/** Of each byte, divided by the polynomial of CRC-32. */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  return remainder;
});

/** Mulberry32: small, quick and the same everywhere. Numbers from 0 up to 1. */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
