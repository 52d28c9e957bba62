import '../../testing/dom.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Stats } from './stats.tsx';

it.each([
  [['1.8 s', '150'], null],
  [['0', '212.000'], 'somewhat'],
  [['6 min', '1,1 Mio. €'], 'rather'],
  [['3,900 → 2,760', '2 a day'], 'very'],
])('of %j the longest decides how large all are: %s long', (values, long) => {
  const stats = values.map((value) => ({ value, caption: `of ${value}` }));
  document.body.innerHTML = renderToStaticMarkup(
    <Stats type="stats" id="stats" tone="navy" anchor={null} title="" stats={stats} />,
  );
  expect(document.querySelector('dl')?.getAttribute('data-long') ?? null).toBe(long);
});
