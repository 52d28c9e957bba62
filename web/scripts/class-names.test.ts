import { expect, it } from 'vitest';
import { classNames, namesIn, shortNames } from './class-names.ts';

it('finds classes and keyframes, each once, also in what applies only sometimes', () => {
  const css = '.a > .b:not(.a) {} @media print { .c::after {} } @keyframes drift { to { left: 0.5px } }';
  expect(namesIn(css)).toEqual(['a', 'b', 'c', 'drift']);
});

it('gives no two things one name, and none that blockers of advertising look for', () => {
  const names = shortNames(2000);
  expect(new Set(names).size).toBe(2000);
  expect(names.filter((name) => name.toLowerCase() === 'ad')).toEqual([]);
  expect(() => shortNames(3000)).toThrow('take three');
});

it('names a class by the file it stands in, and the same in both builds', () => {
  const [one, other] = [classNames(), classNames()];
  const button = one('signal', '/somewhere/src/ui/button/button.module.css');
  expect(button).toMatch(/^[a-z]{2}$/i);
  expect(other('signal', '/elsewhere/src/ui/button/button.module.css?used')).toBe(button);
  expect(one('cards', '/src/blocks/cards/cards.module.css')).not.toBe(button);
  expect(() => one('no-such-class', '/src/ui/button/button.module.css')).toThrow('none of the modules');
});
