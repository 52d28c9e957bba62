import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { breakable } from './breakable.tsx';

it('lets an address break after its @ and leaves other titles as they are', () => {
  expect(renderToStaticMarkup(breakable('support@brightmoor.example'))).toBe(
    '<span>support@<wbr/>brightmoor.example</span>',
  );
  expect(breakable('How we test')).toBe('How we test');
});
