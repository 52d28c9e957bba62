import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { splitAddress } from './split-address.tsx';

const parts = (address: string) => renderToStaticMarkup(splitAddress(address));

it('keeps what stands between two commas, Latin or Arabic, together, and the spaces between', () => {
  expect(parts('4 Lockgate Yard, Manchester M3 9ZZ')).toBe(
    '<span>4 Lockgate Yard,</span> <span>Manchester M3 9ZZ</span>',
  );
  expect(parts('شارع الخور، دبي')).toBe('<span>شارع الخور،</span> <span>دبي</span>');
});
