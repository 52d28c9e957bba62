import { useId } from 'react';
import { expect, it, vi } from 'vitest';
import { Island } from '../rendering/island.tsx';
import { renderMarkup, type Surroundings } from './markup.tsx';

vi.mock(import('./island-names.ts'), () => ({ islandName: () => 'named' }));

function Named() {
  return <input id={useId()} />;
}

it('renders the ids of an island with its own id in them', () => {
  const { html, islands } = renderMarkup(
    <>
      <Island id="one" component={Named} props={{}} />
      <Island id="two" component={Named} props={{}} />
    </>,
    { prefix: '' } as Surroundings,
  );
  expect([...html.matchAll(/<input id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['_oneR_0_', '_twoR_0_']);
  expect(islands.map(({ id }) => id)).toEqual(['one', 'two']);
});
