import { expect, it } from 'vitest';
import { Arena } from './arena.ts';

it('keeps what was encoded until it is reused, also where it needs more room', () => {
  const arena = new Arena();
  const texts = [
    ['Wör', 'ter'],
    ['x'.repeat(3_000_000)],
    ['حروف', ' و', ''],
    ['y'.repeat(6_000_000)],
    ['é', Buffer.from('ü'), 'ج'],
  ];
  const encoded = texts.map((pieces) => arena.encode(pieces));
  expect(encoded.map(String)).toEqual(texts.map((pieces) => pieces.join('')));
  arena.reuse();
  expect(String(arena.encode(['again']))).toBe('again');
});
